package dev.understudy.session.clone.restart;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The archives that a service runs from. */
public final class ProgramFile {
    private static final Pattern DELETED = Pattern.compile("/.*\\.(?:jar|war|ear|jmod|zip) \\(deleted\\)");

    private ProgramFile() {}

    /** Whether what {@code /proc} shows of a descriptor is an archive without a name, or with another one's by now. */
    public static boolean isDeleted(String link) {
        return DELETED.matcher(link).matches();
    }

    /** The main jar as it was given, if it isn't there; else "". */
    public static String missing(ServiceCommand service) {
        List<String> words = service.words();
        int jar = words.indexOf("-jar");
        if (jar < 0 || jar + 1 >= words.size()) {
            return "";
        }
        String name = words.get(jar + 1);
        try {
            return Files.exists(path(service.directory()).resolve(path(name))) ? "" : name;
        } catch (InvalidPathException noPath) {
            return name;
        }
    }

    private static Path path(String bytes) {
        Charset charset = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
        return Path.of(new String(bytes.getBytes(StandardCharsets.ISO_8859_1), charset));
    }
}
