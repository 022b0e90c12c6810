"""The client of the API of Matchbook."""

from ._api import models as models
from ._api.types import UNSET as UNSET
from ._api.types import Unset as Unset
from ._caller import AsyncPage as AsyncPage
from ._caller import Page as Page
from ._client import AsyncMatchbook as AsyncMatchbook
from ._client import Matchbook as Matchbook
from ._errors import AuthenticationError as AuthenticationError, ConflictError as ConflictError
from ._errors import ConnectionLostError as ConnectionLostError, InvalidRequestError as InvalidRequestError
from ._errors import MatchbookError as MatchbookError, NotFoundError as NotFoundError
from ._errors import PermissionDeniedError as PermissionDeniedError, PreconditionFailedError as PreconditionFailedError
from ._errors import RateLimitError as RateLimitError, ServerError as ServerError
from ._operations import API_VERSION as API_VERSION
from ._webhook import WebhookVerificationError as WebhookVerificationError
from ._webhook import verify_webhook as verify_webhook
