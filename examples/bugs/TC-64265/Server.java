import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** Two files behind Tomcat's DefaultServlet, with a time of change that is the same wherever it runs. */
public final class Server {
    public static void main(String[] arguments) throws Exception {
        Path home = Files.createTempDirectory("tomcat");
        Path files = Files.createDirectories(home.resolve("files"));
        for (String name : new String[] {"a.txt", "b.txt"}) {
            Path file = Files.writeString(files.resolve(name), "what is in " + name);
            Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_000L));
        }
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(home.toString());
        tomcat.setPort(Integer.parseInt(arguments[0]));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        Context context = tomcat.addContext("", new File(files.toString()).getAbsolutePath());
        Tomcat.addServlet(context, "files", "org.apache.catalina.servlets.DefaultServlet");
        context.addServletMappingDecoded("/", "files");
        tomcat.start();
        tomcat.getServer().await();
    }
}
