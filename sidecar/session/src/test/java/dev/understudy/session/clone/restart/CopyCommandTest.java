package dev.understudy.session.clone.restart;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class CopyCommandTest {
    private static ServiceCommand service(List<String> words, String... environment) {
        return new ServiceCommand(
                "/opt/jdk/bin/java",
                words,
                List.of(environment),
                "/srv/shop",
                "1000",
                "1001",
                List.of("4", "27"),
                "0027",
                "4096");
    }

    @Test
    void copy_hasProductionsWords_andItsProgramByItsPath() {
        ServiceCommand service =
                service(List.of("java", "-Xmx1g", "-cp", "a:b", "shop.Main", "-Xdebug", "", "\u00e9"), "A=1\n2", "odd");

        CopyCommand copy = CopyCommand.of(service);

        assertThat(copy.words())
                .containsExactly("/opt/jdk/bin/java", "-Xmx1g", "-cp", "a:b", "shop.Main", "-Xdebug", "", "\u00e9");
        assertThat(copy.environment()).containsExactly("A=1\n2");
        assertThat(copy.leftOut()).isEmpty();
        assertThat(copy.asUser(service))
                .containsSequence("0027", "/srv/shop", "setpriv", "--reuid=1000", "--regid=1001", "--groups=4,27")
                .containsSequence("env", "-i", "--", "A=1\n2", "/opt/jdk/bin/java");
    }

    @Test
    void optionsThatReachOutOfTheCopy_areLeftOut() {
        CopyCommand copy = CopyCommand.of(service(
                List.of(
                        "java",
                        "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=5005",
                        "-Xrunjdwp:server=y",
                        "-Dcom.sun.management.jmxremote.port=9010",
                        "-XX:OnOutOfMemoryError=kill -9 %p; page",
                        "-XX:OnError=gdb",
                        "-XX:+HeapDumpOnOutOfMemoryError",
                        "-XX:HeapDumpPath=/var/dumps",
                        "-javaagent:/opt/understudy-agent.jar=debug=false",
                        "-javaagent:/opt/opentelemetry.jar",
                        "-jar",
                        "shop.jar",
                        "-agentlib:jdwp=its-own"),
                "NOTIFY_SOCKET=/run/systemd/notify",
                "UNDERSTUDY_AGENT_TOKEN=old",
                "JAVA_TOOL_OPTIONS=-Xmx2g -XX:OnOutOfMemoryError=\"kill -9 %p\" -agentlib:jdwp=server=y -Da=b",
                "TEXT=-agentlib:jdwp stays"));

        assertThat(copy.words())
                .containsExactly(
                        "/opt/jdk/bin/java",
                        "-javaagent:/opt/opentelemetry.jar",
                        "-jar",
                        "shop.jar",
                        "-agentlib:jdwp=its-own");
        assertThat(copy.environment()).containsExactly("JAVA_TOOL_OPTIONS=-Xmx2g -Da=b", "TEXT=-agentlib:jdwp stays");
        assertThat(copy.leftOut())
                .contains(
                        "-agentlib:jdwp",
                        "-Xrunjdwp",
                        "-Dcom.sun.management.",
                        "-XX:OnOutOfMemoryError",
                        "-XX:OnError",
                        "-XX:+HeapDumpOnOutOfMemoryError",
                        "-XX:HeapDumpPath",
                        "NOTIFY_SOCKET")
                .noneMatch(name -> name.contains("page") || name.contains("/run"));
    }

    @Test
    void agent_comesFirst_andItsTokenIsOnNoCommandLine() {
        CopyCommand copy = CopyCommand.of(service(List.of("java", "-Xmx1g", "-jar", "shop.jar")))
                .with("/agent.jar", Map.of("aggregator-token", "s3cret"));

        assertThat(copy.words())
                .containsExactly("/opt/jdk/bin/java", "-javaagent:/agent.jar=debug=true", "-Xmx1g", "-jar", "shop.jar");
        assertThat(copy.environment()).containsExactly("UNDERSTUDY_AGENT_AGGREGATOR_TOKEN=s3cret");
    }

    @Test
    void anotherLauncher_getsTheAgentByAVariable() {
        ServiceCommand service = new ServiceCommand(
                "/opt/shop/bin/shopd",
                List.of("shopd", "--serve"),
                List.of("JAVA_TOOL_OPTIONS=-Xmx1g"),
                "/",
                "0",
                "0",
                List.of(),
                "0022",
                "1024");

        CopyCommand copy = CopyCommand.of(service).with("/agent.jar", Map.of());

        assertThat(copy.words()).containsExactly("/opt/shop/bin/shopd", "--serve");
        assertThat(copy.environment()).containsExactly("JAVA_TOOL_OPTIONS=-javaagent:/agent.jar=debug=true -Xmx1g");
        assertThat(copy.asUser(service)).contains("--clear-groups");
    }

    @Test
    void debugger_isOfferedAPort_andWaitedForByNobody() {
        CopyCommand copy = CopyCommand.of(
                        service(List.of("java", "-agentlib:jdwp=server=y,address=8000", "-jar", "a.jar")))
                .with("/agent.jar", Map.of())
                .withDebugger(5005);

        assertThat(copy.words())
                .containsExactly(
                        "/opt/jdk/bin/java",
                        "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=*:5005",
                        "-javaagent:/agent.jar=debug=true",
                        "-jar",
                        "a.jar");
    }
}
