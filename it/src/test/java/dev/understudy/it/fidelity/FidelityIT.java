package dev.understudy.it.fidelity;

import dev.understudy.it.fidelity.Outcome.Mode;
import dev.understudy.it.fidelity.grpc.GrpcJava;
import dev.understudy.it.fidelity.http.Curl;
import dev.understudy.it.fidelity.http.JavaClients;
import dev.understudy.it.fidelity.redis.Jedises;
import dev.understudy.it.fidelity.redis.Lettuces;
import dev.understudy.it.fidelity.redis.RedisBenchmark;
import dev.understudy.it.fidelity.sql.MariaDbJdbc;
import dev.understudy.it.fidelity.sql.PgBench;
import dev.understudy.it.fidelity.sql.PgJdbc;
import dev.understudy.it.fidelity.sql.PooledJdbc;
import dev.understudy.it.fidelity.sql.SpringJpa;
import dev.understudy.it.stage.Checkout;
import dev.understudy.it.stage.NeedsPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Each suite at its smallest: no wrong answer, nothing at the server, and no fewer equal results than today. */
@Tag("any-jdk")
class FidelityIT {
    @TempDir
    static Path folder;

    private static Trial trial;

    @BeforeAll
    static void open() throws IOException {
        try (Stream<Path> files =
                Files.list(Checkout.root().resolve("aggregator").resolve("target"))) {
            Path jar = files.filter(
                            file -> file.getFileName().toString().matches("aggregator-[0-9.]+(-SNAPSHOT)?\\.jar"))
                    .findFirst()
                    .orElseThrow();
            trial = new Trial(folder, jar);
        }
    }

    @AfterAll
    static void close() throws IOException {
        trial.close();
    }

    @Test
    @NeedsPrograms({"postgres", "initdb", "pgbench"})
    void pgbench_getsProductionsAnswers() throws Exception {
        check(new PgBench("simple", 2, 15), Mode.LATER, 0.99);
        check(new PgBench("extended", 2, 15), Mode.AT_ONCE, 0.99);
        check(new PgBench("prepared", 2, 15), Mode.LATER, 0.99);
    }

    @Test
    @NeedsPrograms({"postgres", "initdb"})
    void pools_ofAnySize_getProductionsAnswers() throws Exception {
        check(new PooledJdbc(10, 3, 30), Mode.LATER, 1);
        check(new PooledJdbc(4, 20, 30), Mode.AT_ONCE, 1);
    }

    @Test
    @NeedsPrograms({"postgres", "initdb"})
    void pgjdbc_getsProductionsAnswers() throws Exception {
        check(new PgJdbc(), Mode.LATER, 0.97);
    }

    @Test
    @NeedsPrograms({"mariadbd", "mariadb-install-db", "mariadb"})
    void mariaDbsDriver_getsProductionsAnswers() throws Exception {
        check(new MariaDbJdbc("", ""), Mode.LATER, 0.97);
        check(new MariaDbJdbc("prepared", "&useServerPrepStmts=true"), Mode.AT_ONCE, 0.97);
    }

    @Test
    @NeedsPrograms({"postgres", "initdb"})
    void springJpa_getsProductionsAnswers() throws Exception {
        Path jar = Checkout.root().resolve(Path.of("it", "jpa", "target", "jpa.jar"));

        check(new SpringJpa(jar, 5), Mode.LATER, 1);
    }

    @Test
    @NeedsPrograms({"redis-server", "redis-cli", "redis-benchmark"})
    void redisClients_getProductionsAnswers() throws Exception {
        check(new RedisBenchmark(100, 5, 16), Mode.LATER, 1);
        check(new Jedises(1), Mode.LATER, 1);
        check(new Lettuces(10), Mode.AT_ONCE, 1);
    }

    @Test
    @NeedsPrograms({"nginx", "curl"})
    void httpClients_getProductionsAnswers() throws Exception {
        // 51 of 52: nginx answers what is too large at once, and curl may stop sending before its end (ANSWERED_EARLY)
        check(new Curl(), Mode.LATER, 0.98);
        check(new JavaClients(), Mode.AT_ONCE, 0.99);
    }

    @Test
    void grpcClient_getsProductionsAnswers() throws Exception {
        check(new GrpcJava(2), Mode.LATER, 1);
        check(new GrpcJava(2), Mode.AT_ONCE, 1);
    }

    private static void check(Suite suite, Mode mode, double share) throws Exception {
        Outcome outcome = trial.run(suite, mode);
        Comparison comparison = outcome.comparison();

        assertThat(comparison.wrong()).as(suite.name()).isEmpty();
        assertThat(outcome.foreign()).as(suite.name() + ": at the real server").isZero();
        assertThat(comparison.share())
                .as(suite.name() + " " + comparison + " " + outcome.told())
                .isGreaterThanOrEqualTo(share);
        assertThat(comparison.operations()).as(suite.name()).isPositive();
    }
}
