import java.io.PrintStream;
import org.mustangproject.validator.ZUGFeRDValidator;

/**
 * Validates files of Factur-X (PDF/A by veraPDF, then the XML) and bare CII in one process, because a start costs seconds:
 * `java -cp Mustang-CLI.jar FacturX.java FILE…` writes a line for each file, `valid` or `invalid` with the report.
 */
public class FacturX {
  public static void main(String[] files) throws Exception {
    PrintStream answers = System.out;
    // The libraries log to the standard output.
    System.setOut(System.err);
    for (String file : files) {
      ZUGFeRDValidator validator = new ZUGFeRDValidator();
      validator.disableNotices();
      String report = validator.validate(file);
      boolean isArchive = !file.endsWith(".pdf") || report.matches("(?s).*flavour=3a.*isCompliant=true.*");
      boolean isValid = validator.wasCompletelyValid() && isArchive;
      answers.println(isValid ? "valid" : "invalid " + report.replaceAll("\\s+", " "));
    }
    System.exit(0);
  }
}
