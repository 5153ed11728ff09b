package dev.understudy.it.micro;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.compare.http.HttpComparison;
import dev.understudy.divergence.compare.http.HttpReply;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** How many replies with a JSON body one core compares. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 4, time = 3)
@Measurement(iterations = 3, time = 2)
@Fork(1)
public class Comparing {
    private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

    /** How long a body is, roughly, in bytes. */
    @Param({"2000", "8000", "20000"})
    int bytes = 2000;

    /** In what they differ: nothing, a time and an id, the order of members, or a value. */
    @Param({"nothing", "noise", "members", "value"})
    String differing = "nothing";

    private final HttpComparison comparison = new HttpComparison(ComparisonRules.defaults(), new IdentityMap(20_000));
    private HttpReply production = reply("{}", NOON);
    private HttpReply debug = production;

    /** Makes both replies. */
    @Setup(Level.Trial)
    public void make() {
        production = reply(body("nothing"), NOON);
        debug = reply(body(differing), NOON.plusMillis(20));
    }

    /** Compares them in full. */
    @Benchmark
    public Verdict compare(CpuTime spent) {
        spent.operations++;
        Verdict verdict = comparison.compare(production, debug);
        VerdictKind expected = differing.equals("nothing")
                ? VerdictKind.SAME
                : differing.equals("value") ? VerdictKind.DIFFERENT : VerdictKind.EQUIVALENT;
        if (verdict.kind() != expected) {
            throw new IllegalStateException(differing + ": " + verdict);
        }
        return verdict;
    }

    private String body(String differs) {
        Random random = new Random(1);
        boolean noise = differs.equals("noise");
        StringBuilder body = new StringBuilder("{\"at\":\"").append(noise ? NOON.plusMillis(25) : NOON);
        body.append("\",\"requestId\":\"")
                .append(noise ? "3f2504e0-4f89-41d3-9a0c-0305e82c3301" : "9b2d6c1e-7d3a-4f0b-8a55-1c2e3f405162");
        body.append("\",\"items\":[");
        while (body.length() < bytes) {
            String sku = "\"sku\":\"A-" + random.nextInt(1_000_000) + "\"";
            String price = "\"price\":" + random.nextInt(10_000) + "." + (10 + random.nextInt(90));
            body.append(body.charAt(body.length() - 1) == '[' ? "{" : ",{");
            body.append(differs.equals("members") ? price + "," + sku : sku + "," + price);
            body.append(",\"name\":\"A lamp of some kind\",\"stock\":")
                    .append(random.nextInt(500))
                    .append(",\"open\":true}");
        }
        return body.append("],\"pages\":")
                .append(differs.equals("value") ? 8 : 9)
                .append('}')
                .toString();
    }

    private static HttpReply reply(String json, Instant begun) {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        ReplyHead head = new ReplyHead(
                "HTTP/1.1",
                200,
                "OK",
                List.of(
                        new Header("Content-Type", "application/json"),
                        new Header("Content-Length", "" + body.length)));
        return new HttpReply(
                List.of(), head, body, body.length, new byte[0], List.of(), true, begun, begun.plusMillis(10));
    }
}
