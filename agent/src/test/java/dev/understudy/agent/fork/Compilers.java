package dev.understudy.agent.fork;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kotlin.Unit;
import kotlinx.coroutines.BuildersKt;
import scala.Function1;

import static org.assertj.core.api.Assertions.assertThat;

/** What the compilers of Kotlin, Scala 2 and Scala 3 make of the errands, in a JVM each and all at the same time. */
final class Compilers {
    private static final Path SOURCES = Path.of("src/test/resources/dev/understudy/agent/fork/errand");
    private static final Path JARS = Path.of(System.getProperty("understudy.compilers", "target/compilers"));

    private final Path folder;

    private Compilers(Path folder) {
        this.folder = folder;
    }

    /** Compiles everything into that folder. */
    static Compilers into(Path folder) throws Exception {
        Compilers compilers = new Compilers(folder);
        String kotlin = path(library(Unit.class), library(BuildersKt.class));
        String scala = path(library(Function1.class));
        String scala3 = path(library(Function1.class), jar("scala3-library_3"));
        List<Run> runs = List.of(
                compilers.start(
                        "kotlin",
                        path(
                                        jar("kotlin-compiler-embeddable"),
                                        jar("kotlin-script-runtime"),
                                        jar("annotations"),
                                        jar("trove4j"))
                                + File.pathSeparator
                                + kotlin,
                        List.of("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-no-stdlib", "-no-reflect"),
                        kotlin,
                        "Errand.kt",
                        "Inlined.kt"),
                compilers.start(
                        "scala2",
                        path(jar("scala-compiler"), jar("scala-reflect")) + File.pathSeparator + scala,
                        List.of("scala.tools.nsc.Main"),
                        scala,
                        "Errand.scala"),
                compilers.start(
                        "scala3",
                        path(
                                        jar("scala3-compiler_3"),
                                        jar("scala3-interfaces"),
                                        jar("tasty-core_3"),
                                        jar("scala-asm"),
                                        jar("compiler-interface"),
                                        jar("util-interface"))
                                + File.pathSeparator
                                + scala3,
                        List.of("dotty.tools.dotc.Main"),
                        scala3,
                        "Errand.scala",
                        "Third.scala"));
        for (Run run : runs) {
            run.end();
        }
        return compilers;
    }

    /** The errands, as {@link ErrandServer} takes them. */
    List<String> errands() {
        String scala3 = path(folder.resolve("scala3"), jar("scala3-library_3"));
        return List.of(
                "/kotlin=errand.Errand=" + folder.resolve("kotlin"),
                "/scala2=errand.scala.Errand=" + folder.resolve("scala2"),
                "/scala3=errand.scala.Errand=" + File.pathSeparator + scala3,
                "/third=errand.third.Errand=" + scala3);
    }

    /** The line of that source that has the text first. */
    static int line(String source, String text) throws IOException {
        List<String> lines = Files.readAllLines(SOURCES.resolve(source));
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(text)) {
                return i + 1;
            }
        }
        throw new AssertionError(text + " isn't in " + source);
    }

    private Run start(String name, String compiler, List<String> main, String libraries, String... sources)
            throws IOException {
        Path classes = Files.createDirectory(folder.resolve(name));
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", compiler));
        command.addAll(main);
        command.addAll(List.of("-cp", libraries, "-d", classes.toString()));
        Stream.of(sources).map(source -> SOURCES.resolve(source).toString()).forEach(command::add);
        Path said = folder.resolve(name + ".log");
        return new Run(
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start(),
                said);
    }

    private static Path jar(String name) {
        return JARS.resolve(name + ".jar").toAbsolutePath();
    }

    private static Path library(Class<?> member) throws URISyntaxException {
        return Path.of(
                member.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static String path(Path... entries) {
        return Stream.of(entries).map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /** One compiler at work. */
    private static final class Run {
        private final Process process;
        private final Path said;

        Run(Process process, Path said) {
            this.process = process;
            this.said = said;
        }

        void end() throws Exception {
            assertThat(process.waitFor()).as(Files.readString(said)).isZero();
        }
    }
}
