package dev.understudy.agent.weave;

import java.io.File;
import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides which classes are the application's own.
 *
 * <p>If the operator named packages, those; else by where a class comes from: {@code BOOT-INF/classes} and
 * {@code WEB-INF/classes}, directories, the jar that was started, and the place the main class came from.
 * Classes that frameworks make at run time are left out always. Safe for any threads.
 */
public final class ApplicationCode {
    /** Parts of their names; each begins with a dollar sign, which most classes' names lack. */
    private static final String[] GENERATED = {
        "$$SpringCGLIB$$",
        "$$EnhancerBy",
        "$$FastClassBy",
        "$HibernateProxy$",
        "$$Lambda",
        "$MockitoMock$",
        "$ByteBuddy$"
    };

    /** With slashes between the names. */
    private final List<String> packages;

    private final String mainClass;
    private final @Nullable String mainJar;
    private final Map<ProtectionDomain, Boolean> domains = Collections.synchronizedMap(new WeakHashMap<>());
    private volatile @Nullable String mainLocation;

    private ApplicationCode(List<String> packages, String mainClass, @Nullable String mainJar) {
        this.packages = packages;
        this.mainClass = mainClass;
        this.mainJar = mainJar;
    }

    /** What stands for all packages. */
    private static final String ALL = "*";

    /**
     * The classes in the given packages and those below them, or single classes; dots between the names. {@code *} is
     * the application with all of its libraries: what doesn't belong to the JDK.
     */
    public static ApplicationCode inPackages(List<String> packages) {
        List<String> inside = new ArrayList<>();
        for (String one : packages) {
            inside.add(one.replace('.', '/'));
        }
        return new ApplicationCode(List.copyOf(inside), "", null);
    }

    /**
     * The classes that by their place belong to the program that was started.
     *
     * @param command the launcher's command, as in the property {@code sun.java.command}
     * @param classPath the class path, as in the property {@code java.class.path}
     */
    public static ApplicationCode ofProgram(String command, String classPath) {
        boolean jar = classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator);
        String main = command.trim();
        for (int at = 0; at < main.length(); at++) {
            if (Character.isWhitespace(main.charAt(at))) {
                main = main.substring(0, at);
            }
        }
        main = main.substring(main.indexOf('/') + 1);
        return new ApplicationCode(
                List.of(), main, jar ? new File(classPath).toURI().toString() : null);
    }

    /** Whether the class, named with slashes, is the application's own. */
    public boolean owns(String name, @Nullable ProtectionDomain domain) {
        int dollar = name.indexOf('$');
        if (dollar >= 0 && isGenerated(name, dollar)) {
            return false;
        }
        if (!packages.isEmpty()) {
            return packages.contains(ALL) ? domain != null && isKnown(domain, true) : named(name);
        }
        if (domain == null || name.startsWith("org/springframework/boot/loader/")) {
            return false;
        }
        if (mainLocation == null && name.replace('/', '.').equals(mainClass)) {
            mainLocation = location(domain);
            domains.clear();
        }
        return isKnown(domain, false);
    }

    private static boolean isGenerated(String name, int dollar) {
        for (String part : GENERATED) {
            if (name.indexOf(part, dollar) >= 0) {
                return true;
            }
        }
        return false;
    }

    private boolean isKnown(ProtectionDomain domain, boolean all) {
        Boolean known = domains.get(domain);
        if (known == null) {
            known = all ? isOutsideTheJdk(domain) : isApplication(domain);
            domains.put(domain, known);
        }
        return known;
    }

    private boolean named(String name) {
        for (String wanted : packages) {
            if (name.startsWith(wanted)) {
                char next = name.length() == wanted.length() ? '/' : name.charAt(wanted.length());
                if (next == '/' || next == '$') {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isApplication(ProtectionDomain domain) {
        String location = location(domain);
        if (location == null) {
            return false;
        }
        if (location.contains("BOOT-INF/classes") || location.contains("WEB-INF/classes")) {
            return true;
        }
        return location.equals(mainJar)
                || location.equals(mainLocation)
                || (location.startsWith("file:") && location.endsWith("/"));
    }

    private static boolean isOutsideTheJdk(ProtectionDomain domain) {
        String location = location(domain);
        return location != null && !location.startsWith("jrt:");
    }

    private static @Nullable String location(ProtectionDomain domain) {
        CodeSource source = domain.getCodeSource();
        URL location = source == null ? null : source.getLocation();
        return location == null ? null : location.toString();
    }
}
