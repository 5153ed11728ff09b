package dev.understudy.agent.fork;

import dev.understudy.agent.fork.bundle.Verse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.apache.log4j.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Other languages than Java, and other class loaders than the usual: the same output with the agent, and probes that
 * fire.
 */
final class LanguagesIT {
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
    private static final String WOVEN = "dev.understudy.agent.fork;Tale;Walker;Loud;kotlin;kotlinx;scala";

    @Test
    void groovyKotlinScalaAndBundles_sayTheSameWithTheAgent_andTheirProbesFire(@TempDir Path folder) throws Exception {
        Path own = bundle(folder);
        Path logging = Path.of(
                Logger.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<String> plain = Polyglot.told(own, logging);
        assertThat(plain).hasSize(13).endsWith("bundle logged by Logger");
        List<String> woven = List.of(
                "Tale#fibonacci",
                "Walker#sum",
                "kotlinx.coroutines.BuildersKt*#runBlocking*",
                "kotlin.collections.CollectionsKt*#chunked",
                "scala.collection.immutable.Range#map",
                "*Verse#rhyme");
        String rules = woven.stream()
                .map(pattern -> "{\"pattern\":\"" + pattern + "\",\"stance\":\"armed\"}")
                .collect(Collectors.joining(",", "{\"probes\":{\"rules\":[", "]}}"));
        try (FakeSidecar sidecar = new FakeSidecar()) {
            sidecar.order(rules);
            try (ForkedJvm jvm = ForkedJvm.start(
                    JAVA,
                    "=debug=true,packages=" + WOVEN + ",sidecar=" + sidecar.url(),
                    List.of("-Xverify:all"),
                    List.of(Polyglot.class.getName(), own.toString(), logging.toString()))) {
                assertThat(said(jvm)).isEqualTo(plain);
                String report = Patience.until(told -> unfired(woven, told).isEmpty(), sidecar::report);
                assertThat(report).contains("\"failedClasses\":0");
                assertThat(jvm.stderr().lines())
                        .noneMatch(line -> line.contains("stays as it was"))
                        .filteredOn(line -> line.contains("lead to the agent"))
                        .containsExactly("[understudy] classes of "
                                + "dev.understudy.agent.fork.Polyglot$Realm stay as they were, since it"
                                + " doesn't lead to the agent");
            }
        }
    }

    private static List<String> unfired(List<String> patterns, String report) {
        return patterns.stream()
                .filter(pattern -> {
                    String name = Pattern.quote(pattern).replace("*", "\\E[^\"]*\\Q");
                    return !Pattern.compile("\"" + name + "(\\([^\"]*)?\",\"hits\":[1-9]")
                            .matcher(report)
                            .find();
                })
                .toList();
    }

    @Test
    void modulesAndTheirLayers_sayTheSameWithTheAgent_andTheirProbesFire(@TempDir Path folder) throws Exception {
        Path inner = module(folder, "inner", "Inner", """
                public static String word(int times) {
                    StringBuilder word = new StringBuilder();
                    for (int i = 0; i < times; i++) {
                        word.append((char) ('a' + i % 26));
                    }
                    return word.toString();
                }
                """);
        Path outer = module(folder, "outer", "Outer", """
                public static void main(String[] arguments) throws Exception {
                    java.lang.module.ModuleFinder finder =
                            java.lang.module.ModuleFinder.of(java.nio.file.Path.of(arguments[0]));
                    ModuleLayer boot = ModuleLayer.boot();
                    ModuleLayer layer = boot.defineModulesWithOneLoader(
                            boot.configuration().resolve(finder, java.lang.module.ModuleFinder.of(),
                                    java.util.Set.of("inner")),
                            ClassLoader.getPlatformClassLoader());
                    Object word = layer.findLoader("inner").loadClass("inner.Inner").getMethod("word",
                            int.class).invoke(null, 30);
                    System.out.println("word " + word + " of " + layer.modules() + " told by " + told(3));
                    System.out.println("port 1");
                    Thread.sleep(600_000);
                }

                private static String told(int times) {
                    return Outer.class.getModule().getName().repeat(times);
                }
                """);
        String said = "word abcdefghijklmnopqrstuvwxyzabcd of [module inner] told by outerouterouter";
        List<String> options = new ArrayList<>(List.of("--module-path", outer.toString()));
        List<String> main = List.of("--module", "outer/outer.Outer", inner.toString());
        String settings = "debug=true,sidecar=";
        String key = Files.writeString(folder.resolve("key"), "the key of its sidecar")
                .toString();
        try (ForkedJvm jvm = ForkedJvm.start(JAVA, "=keyfile=" + key, options, main)) {
            assertThat(said(jvm)).containsExactly(said);
            jvm.attach(settings + "http://127.0.0.1:1");
            String hint = "[understudy] inert: this JVM was started without modules that the agent needs"
                    + " (expected: --add-modules java.net.http)";
            assertThat(jvm.stderr().lines().filter(line -> line.startsWith("[understudy]")))
                    .as("of the agent that waits to be shown, and of the attached one")
                    .containsExactly(hint, hint);
        }
        options.addAll(List.of("--add-modules", "java.net.http"));
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = ForkedJvm.start(JAVA, "=" + settings + sidecar.url(), options, main)) {
            assertThat(said(jvm)).containsExactly(said);
            assertThat(sidecar.reportWith("outer.Outer#told\",\"hits\":1", "inner.Inner#word\",\"hits\":1"))
                    .contains("\"failedClasses\":0");
        }
    }

    /** What was printed but the port. */
    private static List<String> said(ForkedJvm jvm) {
        List<String> lines = new ArrayList<>(jvm.stdout());
        lines.removeIf(line -> line.startsWith("port "));
        return lines;
    }

    /** A jar of one class that names no package that it needs. */
    private static Path bundle(Path folder) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Bundle-ManifestVersion", "2");
        attributes.putValue("Bundle-SymbolicName", "verse");
        attributes.putValue("Bundle-Version", "1.0.0");
        String name = Verse.class.getName().replace('.', '/') + ".class";
        Path jar = folder.resolve("verse.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest);
                InputStream in = Objects.requireNonNull(Verse.class.getResourceAsStream("/" + name))) {
            out.putNextEntry(new JarEntry(name));
            in.transferTo(out);
        }
        return jar;
    }

    /** A module of one class, compiled. */
    private static Path module(Path folder, String name, String type, String body) throws IOException {
        Path sources = Files.createDirectories(folder.resolve(name + "-sources").resolve(name));
        Path module = Files.writeString(
                sources.getParent().resolve("module-info.java"), "module %s { exports %s; }".formatted(name, name));
        Path source = Files.writeString(
                sources.resolve(type + ".java"), "package %s;\n\npublic class %s {\n%s}\n".formatted(name, type, body));
        Path classes = Files.createDirectories(folder.resolve(name));
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        int result = compiler.run(
                null, null, null, "-d", classes.toString(), "--release", "11", module.toString(), source.toString());
        assertThat(result).isZero();
        return classes;
    }
}
