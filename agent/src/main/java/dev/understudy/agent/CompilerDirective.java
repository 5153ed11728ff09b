package dev.understudy.agent;

import dev.understudy.agent.classfile.ClassFile;
import dev.understudy.agent.lock.LockSites;
import dev.understudy.agent.weave.Weaver;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Has HotSpot leave what weaves classes to its first compiler. It is busy while an application starts, and idle ever
 * after: what the second one takes to compile it is never earned back.
 *
 * <p>That is the diagnostic command {@code Compiler.directives_add}, which an operator gives by {@code jcmd} (JEP 165).
 * From inside, without what all of JMX takes, there is no public way to it; a JVM that has none compiles as it likes.
 */
final class CompilerDirective {
    private static final String MODULE = "jdk.management";
    private static final String INTERNAL = "com.sun.management.internal";
    private static final String ADDED = "1 compiler directives added";

    private CompilerDirective() {}

    /** Adds it; false if this JVM doesn't take it. */
    static boolean add(Instrumentation instrumentation) {
        try {
            Optional<Module> management = ModuleLayer.boot().findModule(MODULE);
            return management.isPresent() && add(instrumentation, management.get());
        } catch (ReflectiveOperationException | RuntimeException | LinkageError | IOException otherwise) {
            return false;
        }
    }

    private static boolean add(Instrumentation instrumentation, Module management)
            throws ReflectiveOperationException, IOException {
        instrumentation.redefineModule(
                management,
                Set.of(),
                Map.of(),
                Map.of(INTERNAL, Set.of(CompilerDirective.class.getModule())),
                Set.of(),
                Map.of());
        Class.forName(INTERNAL + ".PlatformMBeanProviderImpl"); // loads the native methods
        Class<?> commands = Class.forName(INTERNAL + ".DiagnosticCommandImpl");
        Method bean = commands.getDeclaredMethod("getDiagnosticCommandMBean");
        Method execute = commands.getDeclaredMethod("executeDiagnosticCommand", String.class);
        bean.setAccessible(true);
        execute.setAccessible(true);
        File file = new File(
                System.getProperty("java.io.tmpdir"),
                "understudy-" + Long.toHexString(System.nanoTime()) + ".directives");
        if (!file.createNewFile()) {
            return false; // never what somebody else has put there
        }
        try {
            try (OutputStream out = new FileOutputStream(file)) {
                out.write(text().getBytes(StandardCharsets.US_ASCII));
            }
            Object said = execute.invoke(bean.invoke(null), "Compiler.directives_add \"" + file + '"');
            return String.valueOf(said).contains(ADDED);
        } finally {
            Files.delete(file.toPath());
        }
    }

    private static String text() {
        return "[{match: [" + of(ClassFile.class) + ", " + of(Weaver.class) + ", " + of(LockSites.class)
                + "], c2: {Exclude: true}}]\n";
    }

    private static String of(Class<?> member) {
        return '"' + member.getPackageName().replace('.', '/') + "/*.*\"";
    }
}
