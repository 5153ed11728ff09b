package dev.understudy.agent.fork;

import groovy.lang.GroovyShell;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.lang.invoke.MethodHandles;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntBinaryOperator;
import org.apache.felix.framework.FrameworkFactory;
import org.osgi.framework.Bundle;
import org.osgi.framework.launch.Framework;

/**
 * The application in a forked JVM that speaks many languages; says on stdout what each of them answered, then serves.
 */
public final class Polyglot {
    private Polyglot() {}

    /** The arguments are the files of two bundles: our own, and a logging framework. */
    public static void main(String[] arguments) throws Exception {
        told(Path.of(arguments[0]), Path.of(arguments[1])).forEach(System.out::println);
        SmallServer.main(new String[0]);
    }

    /** What it says, in this JVM; leaves a folder beside {@code own}. */
    static List<String> told(Path own, Path logging) throws Exception {
        List<String> told = new ArrayList<>();
        try (InputStream tale = Objects.requireNonNull(Polyglot.class.getResourceAsStream("tale.groovy"));
                Reader text = new StringReader(new String(tale.readAllBytes(), StandardCharsets.UTF_8))) {
            for (Object line : (List<?>) new GroovyShell().evaluate(text, "Tale.groovy")) {
                told.add(line.toString());
            }
        }
        told.add(hidden());
        try (Realm realm = new Realm(logging.toUri().toURL())) {
            told.add("realm " + logged(realm.loadClass("org.apache.log4j.Logger")));
        }
        told.addAll(bundles(own, logging));
        return told;
    }

    /** A class that has no name to be found by. */
    private static String hidden() throws Exception {
        byte[] classFile;
        try (InputStream in = Objects.requireNonNull(
                Polyglot.class.getResourceAsStream("/" + Sum.class.getName().replace('.', '/') + ".class"))) {
            classFile = in.readAllBytes();
        }
        Class<?> sum = MethodHandles.lookup().defineHiddenClass(classFile, true).lookupClass();
        IntBinaryOperator adding =
                (IntBinaryOperator) sum.getDeclaredConstructor().newInstance();
        return "hidden " + sum.isHidden() + " " + adding.applyAsInt(3, 9);
    }

    /** Bundles that import nothing of the agent, in a framework that lets them see nothing else but the JDK. */
    private static List<String> bundles(Path own, Path logging) throws Exception {
        Path storage = own.resolveSibling("bundles-" + ProcessHandle.current().pid());
        Framework framework = new FrameworkFactory()
                .newFramework(Map.of(
                        "org.osgi.framework.storage",
                        storage.toString(),
                        "org.osgi.framework.bundle.parent",
                        "boot",
                        "felix.bootdelegation.implicit",
                        "false"));
        framework.start();
        try {
            Class<?> verse = start(framework, own).loadClass("dev.understudy.agent.fork.bundle.Verse");
            Class<?> logger = start(framework, logging).loadClass("org.apache.log4j.Logger");
            return List.of(
                    "bundle " + verse.getMethod("rhyme", int.class).invoke(null, 40), "bundle " + logged(logger));
        } finally {
            framework.stop();
            framework.waitForStop(60_000);
        }
    }

    private static Bundle start(Framework framework, Path file) throws Exception {
        Bundle bundle = framework.getBundleContext().installBundle(file.toUri().toString());
        bundle.start();
        return bundle;
    }

    /** An error, which the agent has logging frameworks tell of. */
    private static String logged(Class<?> logger) throws ReflectiveOperationException {
        Object there = logger.getMethod("getLogger", String.class).invoke(null, "tale");
        logger.getMethod("error", Object.class).invoke(there, "told");
        return "logged by " + logger.getSimpleName();
    }

    /** Adds up a row of numbers. */
    static final class Sum implements IntBinaryOperator {
        @Override
        public int applyAsInt(int from, int to) {
            int sum = 0;
            for (int i = from; i <= to; i++) {
                sum += i;
            }
            return sum;
        }
    }

    /** Has nothing but a library and the JDK in sight; by its name nobody would take it for a class loader. */
    private static final class Realm extends URLClassLoader {
        Realm(URL library) {
            super(new URL[] {library}, ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("dev.understudy.")) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }
    }
}
