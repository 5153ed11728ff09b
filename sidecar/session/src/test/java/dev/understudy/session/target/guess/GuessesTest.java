package dev.understudy.session.target.guess;

import dev.understudy.session.target.TlsUse;
import dev.understudy.session.target.proc.TargetRoot;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

final class GuessesTest {
    @TempDir
    Path folder;

    private static ProtocolGuess upstream(String address, int port, Set<String> libraries, String... environment) {
        UpstreamGuesses guesses =
                new UpstreamGuesses(Map.of(), SettingWords.of(List.of("java"), List.of(environment)), libraries);
        return guesses.of(List.of(new InetSocketAddress(address, port)), List.of(List.of("db.shop")))
                .get(0);
    }

    @Test
    void upstream_isGuessedByItsUrl_withTls() {
        assertThat(upstream(
                        "10.0.0.1", 7000, Set.of(), "U=jdbc:postgresql://db.shop:7000/x?user=a&sslmode=verify-full"))
                .isEqualTo(new ProtocolGuess("postgres", "a URL: U in the environment", TlsUse.YES));
        assertThat(upstream("10.0.0.1", 7000, Set.of(), "U=jdbc:mysql://u:p@a:1,db.shop:7000/x?useSSL=false")
                        .tls())
                .isEqualTo(TlsUse.NO);
        assertThat(upstream("10.0.0.1", 6379, Set.of(), "U=rediss://:secret@db.shop"))
                .isEqualTo(new ProtocolGuess("redis", "a URL: U in the environment", TlsUse.YES));
        assertThat(upstream("10.0.0.1", 7000, Set.of(), "U=https://10.0.0.1:7000/")
                        .tls())
                .isEqualTo(TlsUse.YES);
        assertThat(upstream("10.0.0.1", 7000, Set.of(), "U=jdbc:mariadb://db.shop:7000/")
                        .protocol())
                .isEqualTo("mysql");
        // of another host, the port says the protocol, and nothing of TLS
        assertThat(upstream("10.0.0.9", 7000, Set.of(), "U=rediss://other:7000").tls())
                .isEqualTo(TlsUse.UNKNOWN);
    }

    @Test
    void upstream_isGuessedByItsPort_andThenByTheOnlyLibrary() {
        assertThat(upstream("10.0.0.1", 5432, Set.of("postgresql-42.7.3.jar")).basis())
                .isEqualTo("the port is usual for PostgreSQL, and there is postgresql-42.7.3.jar");
        assertThat(upstream("10.0.0.1", 443, Set.of()).tls()).isEqualTo(TlsUse.YES);
        assertThat(upstream("10.0.0.1", 7000, Set.of("jedis-5.jar")).protocol()).isEqualTo("redis");
        assertThat(upstream("10.0.0.1", 7000, Set.of("jedis-5.jar", "mysql-connector-j-9.jar")))
                .isEqualTo(
                        new ProtocolGuess("tcp", "nothing shows it; choose by --protocol 7000=NAME", TlsUse.UNKNOWN));
        assertThat(upstream("10.0.0.1", 7000, Set.of("jedis-5.jar", "kafka-clients-3.jar"))
                        .protocol())
                .isEqualTo("tcp");
    }

    @Test
    void library_explainsOneUpstreamOnly() {
        UpstreamGuesses guesses = new UpstreamGuesses(
                Map.of(), SettingWords.of(List.of(), List.of()), Set.of("postgresql-42.jar", "lettuce-core-6.jar"));
        List<InetSocketAddress> both =
                List.of(new InetSocketAddress("10.0.0.1", 5432), new InetSocketAddress("10.0.0.1", 7000));

        assertThat(guesses.of(both, List.of(List.of(), List.of())))
                .extracting(ProtocolGuess::protocol)
                .containsExactly("postgres", "redis");
    }

    private static ProtocolGuess port(int port, List<String> command, String... libraries) {
        return new PortGuesses(Map.of(9999, "redis"), command, SettingWords.of(command, List.of()), Set.of(libraries))
                .of(port);
    }

    @Test
    void port_isGuessedBySettingsPortAndServerLibrary() {
        assertThat(port(9999, List.of()).basis()).isEqualTo("chosen by --protocol");
        assertThat(port(8443, List.of()))
                .isEqualTo(new ProtocolGuess("http", "the port is usual for HTTPS", TlsUse.YES));
        assertThat(port(7001, List.of(), "tomcat-embed-core-10.jar").protocol()).isEqualTo("http");
        assertThat(port(7001, List.of()).protocol()).isEqualTo("tcp");
        assertThat(port(7001, List.of("java", "-Dserver.port=7001", "-Dserver.ssl.key-store=a.p12")))
                .isEqualTo(new ProtocolGuess("http", "server.port on the command line", TlsUse.YES));
        assertThat(port(7001, List.of("java", "-Dcom.sun.management.jmxremote.port=7001"), "netty-codec-http-4.jar"))
                .isEqualTo(new ProtocolGuess("none", "JMX, by the command line", TlsUse.UNKNOWN));
        assertThat(port(
                                5005,
                                List.of("java", "-agentlib:jdwp=transport=dt_socket,server=y,address=*:5005"),
                                "vertx-core-4.jar")
                        .basis())
                .isEqualTo("the debugger's, by the command line");
    }

    @Test
    void libraries_areFoundWithinArchives() throws IOException {
        Path archive = folder.resolve("shop.jar");
        try (OutputStream file = Files.newOutputStream(archive)) {
            file.write("#!/bin/sh\nexec java -jar $0\n".getBytes(StandardCharsets.UTF_8));
            ZipOutputStream zip = new ZipOutputStream(file);
            for (String name : List.of(
                    "BOOT-INF/lib/postgresql-42.7.3.jar",
                    "BOOT-INF/classes/shop/Main.class",
                    "META-INF/maven/io.lettuce/lettuce-core/pom.properties")) {
                zip.putNextEntry(new ZipEntry(name));
            }
            zip.setComment("a comment");
            zip.finish();
        }

        Set<String> names = LibraryNames.collect(
                List.of("java", "-jar", "shop.jar"), folder, List.of("/lib/a-1.jar"), new TargetRoot(Path.of("/")));

        assertThat(names).containsExactlyInAnyOrder("shop.jar", "a-1.jar", "postgresql-42.7.3.jar", "lettuce-core-");
    }

    @Test
    void damagedArchive_throwsNothing() throws IOException {
        Path archive = folder.resolve("a.jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
            zip.putNextEntry(new ZipEntry("WEB-INF/lib/jedis-5.jar"));
        }
        byte[] whole = Files.readAllBytes(archive);
        for (int seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            byte[] damaged = whole.clone();
            for (int n = random.nextInt(8); n >= 0; n--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            Files.write(archive, Arrays.copyOf(damaged, random.nextInt(damaged.length + 1)));
            assertThatCode(() -> JarContents.libraries(archive))
                    .as("seed %d", seed)
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void hostNames_areLookedUpAsSettingsNameThem_andReadFromTheHostsFile() throws Exception {
        List<String> notes = new ArrayList<>();
        InetAddress loopback = InetAddress.getByName("127.0.0.1");
        InetAddress other = InetAddress.getByName("10.9.8.7");
        SettingWords settings = SettingWords.of(
                List.of("java", "-Ddb.url=jdbc:postgresql://localhost/x"),
                List.of("CACHE_HOST=$(reboot)", "PASSWORD_HOST=localhost", "REDIS_HOST=-x", "A_HOST=999.1.1.1"));

        Map<String, List<String>> names = new HostNames(1, true)
                .find(
                        Set.of(loopback, other),
                        settings,
                        new NameFiles("10.9.8.7 db db.shop # comment\nx y\n::1\n", ""),
                        notes);

        assertThat(names).containsEntry("10.9.8.7", List.of("db", "db.shop"));
        assertThat(names.get("127.0.0.1")).containsExactly("localhost");
        assertThat(notes).isEmpty();
    }

    @Test
    void damagedSettings_throwNothing_andStayBounded() {
        String seedText = "jdbc:postgresql://u:p@db,[::1]:99999,x:/a?sslmode=require;ssl=true redis://h http://";
        for (int seed = 0; seed < 5000; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder(seedText);
            for (int n = random.nextInt(8); n >= 0; n--) {
                text.insert(random.nextInt(text.length()), (char) random.nextInt(200));
            }
            String damaged = "DB_HOST=" + text;
            assertThatCode(() -> {
                        EndpointMentions.in(SettingWords.of(List.of(damaged), List.of(damaged)));
                        HostNames.read(damaged, new TreeMap<>(Map.of("10.0.0.1", new TreeSet<>())));
                    })
                    .as("seed %d: %s", seed, damaged)
                    .doesNotThrowAnyException();
        }
        assertThat(EndpointMentions.in(SettingWords.of(List.of(), Collections.nCopies(9000, "A=http://h:1"))))
                .hasSize(500);
    }
}
