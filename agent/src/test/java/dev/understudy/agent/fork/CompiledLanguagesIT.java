package dev.understudy.agent.fork;

import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Classes that Kotlin's and Scala's own compilers made: the same answers when they are woven, and probes, branches,
 * values and points in them.
 */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class CompiledLanguagesIT {
    private static final String HEADER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    @TempDir
    private static Path folder;

    private static Compilers compiled;

    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    @BeforeAll
    static void compile() throws Exception {
        compiled = Compilers.into(folder);
    }

    @ParameterizedTest
    @MethodSource("javas")
    void wovenOnBothLevels_theySayTheSame_andProbesBranchesAndValuesAreTold(Path java) throws Exception {
        List<String> armed = List.of(
                "errand.Office#what the clerk says",
                "errand.Office#fee-*",
                "errand.Cents#rounded-*",
                "errand.ErrandKt#fetched",
                "errand.ErrandKt$steps$1#invokeSuspend",
                "errand.Office$Companion#sorted",
                "errand.Parcel$DefaultImpls#describe",
                "errand.scala.Desk#word",
                "errand.scala.Counting#count",
                "errand.scala.Metres$#unary_$bang$extension",
                "errand.third.Tone#tuned");
        try (FakeSidecar sidecar = new FakeSidecar()) {
            sidecar.order(armed.stream()
                    .map(pattern -> "{\"pattern\":\"" + pattern + "\",\"stance\":\"armed\"}")
                    .collect(Collectors.joining(",", "{\"probes\":{\"rules\":[", "]}}")));
            try (ForkedJvm jvm = start(java, sidecar, "branches=errand,deep=200")) {
                sidecar.reportWith("\"state\":\"armed\"");
                Map<String, String> plain = plain();
                assertThat(asked(jvm, plain)).isEqualTo(plain);
                sidecar.observe(inside(), () -> asked(jvm, plain));
                assertThat(asked(jvm, plain)).isEqualTo(plain);
                String report = sidecar.reportMatching(Pattern.compile("errand.third.Tone#tuned\",\"hits\":[1-9]"));
                for (String pattern : armed) {
                    String name = Pattern.quote(pattern).replace("*", "\\E[^\"]*\\Q");
                    assertThat(report).containsPattern("\"" + name + "(\\([^\"]*)?\",\"hits\":[1-9]");
                }
                assertThat(report).contains("\"failedClasses\":0");
                assertThat(jvm.stderr()).doesNotContain("stays as it was", "Exception", "Error");
            }
        }
    }

    /** Of batches of observed exchanges. */
    private static List<String> inside() throws IOException {
        String kotlin = "Errand.kt";
        String scala = "Errand.scala";
        int inlined = Compilers.line("Inlined.kt", "name.length > 5");
        int call = Compilers.line(kotlin, "checked(\"early\")");
        int each = Compilers.line(kotlin, "it > 2");
        return List.of(
                jump(
                        "errand.ErrandKt#early",
                        "\\d+,\"source\":\"" + inlined + " of Inlined.kt \\(inlined at line " + call + "\\)\""),
                jump(
                        "errand.ErrandKt#early",
                        "\\d+,\"source\":\"\\d+ of _Collections.kt \\(inlined at line " + each + "\\)\""),
                jump("errand.Office#fee-[^\"]*", Compilers.line(kotlin, "parcel.weight > 100")),
                jump("errand.ErrandKt#fetched", Compilers.line(kotlin, "failing && tries < 3")),
                jump("errand.Office#what the clerk says", Compilers.line(kotlin, "it.isBlank()")),
                stored("errand.ErrandKt\\$steps\\$1#invokeSuspend", Compilers.line(kotlin, "fun steps"), "step", ""),
                stored("errand.Office\\$Companion#digits", Compilers.line(kotlin, "digits(number / 10"), "number", ""),
                jump("errand.scala.Desk#word", Compilers.line(scala, "number > 5")),
                jump("errand.scala.Desk#dear\\$lzycompute", Compilers.line(scala, "log.isEmpty")),
                jump("errand.scala.Desk#dear\\$lzyINIT1", Compilers.line(scala, "log.isEmpty")),
                stored("errand.scala.Desk#area", Compilers.line(scala, "width.toLong * height"), "height", "width"),
                jump("errand.third.Tone#tuned", Compilers.line("Third.scala", "step > 10")));
    }

    private static String jump(String method, Object line) {
        return "\"method\":\"" + method + "\",\"line\":" + line + ",\"to\":";
    }

    private static String stored(String method, int line, String name, String other) {
        return "\"method\":\"" + method + "\",\"line\":" + line + ",\"at\":\"store\",\"kind\":\"\\w+\",\"name\":\""
                + name + "\",\"other\":\"" + other + "\"";
    }

    @Test
    void points_knowTheirVariablesAndFields() throws Exception {
        String points = Stream.of(
                        point(
                                "a",
                                "errand.ErrandKt#fetched",
                                "line:" + Compilers.line("Errand.kt", "failing && tries"),
                                "try {tries} of {number}, {failing}"),
                        point("b", "errand.Office#what the clerk says", "exit", "{this.clerk} to {word}: {return}"),
                        point(
                                "c",
                                "errand.scala.Desk#area",
                                "line:" + Compilers.line("Errand.scala", "if (doubled)"),
                                "{shape} has {one}"),
                        point("d", "errand.scala.Counting#count", "exit", "counted {by}, {return}"))
                .collect(Collectors.joining(",", "{\"points\":{\"points\":[", "]}}"));
        try (FakeSidecar sidecar = new FakeSidecar()) {
            sidecar.order(points);
            try (ForkedJvm jvm = start(ForkedJvm.java(), sidecar, "deep=0")) {
                assertThat(sidecar.reportOfFollower()).contains("\"problems\":[]");
                Map<String, String> plain = plain();
                for (String told : List.of(
                        "try 3 of 4, true",
                        "Ida to ABC: CBA",
                        "Rectangle\\{width=3, height=4\\} has 12",
                        "counted 6, 2")) {
                    sidecar.hitsMatching(
                            "\"text\":\"" + told + "\"", () -> asked(jvm, plain).toString());
                }
                assertThat(asked(jvm, plain)).isEqualTo(plain);
            }
        }
    }

    private static String point(String id, String method, String at, String message) {
        return "{\"id\":\"" + id + "\",\"method\":\"" + method + "\",\"at\":\"" + at + "\",\"message\":\"" + message
                + "\",\"rate\":1000,\"quota\":100000}";
    }

    private static ForkedJvm start(Path java, FakeSidecar sidecar, String settings) throws IOException {
        List<String> main = new ArrayList<>(List.of(ErrandServer.class.getName()));
        main.addAll(compiled.errands());
        return ForkedJvm.start(
                java,
                "=debug=true,budget=1,packages=errand,sidecar=" + sidecar.url() + "," + settings,
                List.of("-Xverify:all"),
                main);
    }

    private static Map<String, String> asked(ForkedJvm jvm, Map<String, String> plain) throws Exception {
        Map<String, String> told = new TreeMap<>();
        for (String path : plain.keySet()) {
            told.put(path, jvm.get(path, HEADER));
        }
        return told;
    }

    /** What they say in this JVM, without the agent. */
    private static Map<String, String> plain() throws Exception {
        Map<String, String> told = new TreeMap<>();
        for (String errand : compiled.errands()) {
            String[] parts = errand.split("=", 3);
            try (URLClassLoader loader = ErrandServer.loader(parts[2])) {
                told.put(parts[0], ErrandServer.told(loader.loadClass(parts[1]).getMethod("told")));
            }
        }
        assertThat(told.get("/kotlin")).contains("Ida at the office of Ulm");
        return told;
    }
}
