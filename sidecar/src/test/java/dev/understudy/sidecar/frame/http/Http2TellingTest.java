package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.frame.RequestStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What the debug JVM hears of an HTTP/2 connection whose requests carry production's identities. */
final class Http2TellingTest {
    /** Signed tokens, which may differ in length. */
    private static final String OURS = token("{\"sub\":\"ann\",\"jti\":\"1\"}", "Zk3vQ9xT2mB7wL5cR8nJ4pD6aH1sG0fK");

    private static final String THEIRS =
            token("{\"sub\":\"ann\",\"jti\":\"20000000001\"}", "uY6hE1sA9gF4kV7qX2zN8bM3oC5tW0jP");

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String TRACE = "00-11111111111111111111111111111111-2222222222222222-01";

    private final IdentityMap identities = new IdentityMap(100);
    private final SpokenHttp2 client = new SpokenHttp2();
    private final MemoryBudget memory = new MemoryBudget(1 << 20, null);
    private @Nullable String trace;

    private static String token(String claims, String signature) {
        Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
        return base64.encodeToString("{\"alg\":\"HS256\"}".getBytes(StandardCharsets.US_ASCII)) + "."
                + base64.encodeToString(claims.getBytes(StandardCharsets.US_ASCII)) + "." + signature;
    }

    private HeardHttp2 tell(byte[] said, Random random) {
        return HeardHttp2.of(new Told().all(said, random));
    }

    private HeardHttp2 tell() {
        return tell(client.bytes.toByteArray(), new Random(1));
    }

    private HeardHttp2 meant() {
        return HeardHttp2.of(client.bytes.toByteArray());
    }

    private static Http2Headers get(String path) {
        return SpokenHttp2.fields("GET", path, "cookie", "SESSION=" + OURS, "cookie", "lang=de", "x-own", path);
    }

    private static Http2Headers post(int length) {
        return SpokenHttp2.fields("POST", "/p", "content-type", FORM, "content-length", String.valueOf(length));
    }

    @Test
    void nothingToChange_leavesEveryByte() {
        client.head(1, true, SpokenHttp2.fields("GET", "/a"))
                .head(3, false, post(5))
                .data(3, true, "a=b&c", 3);

        assertThat(tell().all).isEqualTo(client.bytes.toByteArray());
        assertThat(identities.learn(OURS, THEIRS)).isTrue();
        assertThat(tell().all).isEqualTo(client.bytes.toByteArray());
    }

    /**
     * The client's later blocks name fields of earlier ones by their places in a table that debug doesn't have any
     * more.
     */
    @Test
    void identities_areReplacedInHeads_andAllLaterOnesStandForThemselves() {
        assertThat(identities.learn(OURS, THEIRS)).isTrue();
        client.head(1, true, SpokenHttp2.fields("GET", "/before", "x-own", "kept"))
                .head(3, true, get("/a/" + OURS + "?token=" + OURS))
                .head(5, true, SpokenHttp2.fields("GET", "/after", "x-own", "kept"), 9, true, 10)
                .head(7, false, SpokenHttp2.fields("POST", "/trailers", "content-type", "application/grpc"))
                .data(7, false, OURS, 0)
                .head(7, true, new DefaultHttp2Headers().add("x-own", "kept"));

        HeardHttp2 heard = tell();
        assertThat(heard.problems).isEmpty();
        assertThat(heard.streams.get(3))
                .isEqualTo("[:method=GET|:scheme=http|:authority=shop:80|:path=/a/" + THEIRS + "?token=" + THEIRS
                        + "|cookie=SESSION=" + THEIRS + "|cookie=lang=de|x-own=/a/" + THEIRS + "?token=" + THEIRS
                        + "|]!");
        heard.streams.remove(3);
        HeardHttp2 meant = meant();
        meant.streams.remove(3);
        assertThat(heard.streams).isEqualTo(meant.streams);
    }

    @Test
    void traces_areTold() {
        trace = TRACE;
        client.head(1, true, SpokenHttp2.fields("GET", "/a")).head(3, true, SpokenHttp2.fields("GET", "/b"));

        assertThat(tell().streams.values())
                .hasSize(2)
                .allSatisfy(head -> assertThat(head).contains("|traceparent=" + TRACE + "|]!"));
    }

    @Test
    void headThatCantBeRead_isLeftOutOnceHeadsAreOurs_andLaterOnesAreTold() {
        trace = TRACE;
        client.head(1, true, SpokenHttp2.fields("GET", "/1"))
                .head(3, false, SpokenHttp2.fields("POST", "/3", "x-odd", "\0\1"))
                .data(3, false, "bo", 0)
                .data(3, true, "dy", 0)
                .head(5, true, SpokenHttp2.fields("GET", "/5", "x-details-bin", "\0\b\5ok"));

        HeardHttp2 heard = tell();

        assertThat(heard.problems).isEmpty();
        assertThat(heard.streams.keySet()).containsExactly(1, 5);
        assertThat(heard.streams.get(5)).contains("|x-details-bin=CAVvaw|", "|traceparent=" + TRACE + "|]!");
    }

    @Test
    void headThatCantBeRead_goesOnAsItIs_whereNothingIsChanged() {
        client.head(1, true, SpokenHttp2.fields("GET", "/1"))
                .head(3, false, SpokenHttp2.fields("POST", "/3", "x-odd", "\0\1"))
                .data(3, true, "body", 0)
                .head(5, true, SpokenHttp2.fields("GET", "/5", "x-details-bin", "\0\b\5ok"));

        assertThat(tell().all).isEqualTo(client.bytes.toByteArray());
    }

    @Test
    void body_isReplacedWithItsLength() {
        assertThat(identities.learn(OURS, THEIRS)).isTrue();
        String body = "text=1&_csrf=" + OURS;
        client.head(1, false, post(body.length()))
                .data(1, false, body.substring(0, 20), 7)
                .data(1, true, body.substring(20), 0);

        String changed = body.replace(OURS, THEIRS);
        assertThat(tell().streams.get(1))
                .endsWith("|content-type=" + FORM + "|content-length=" + changed.length() + "|]" + changed + "!");
        assertThat(memory.used()).isZero();
    }

    @Test
    void bodiesOfStreamsThatOverlap_areReplaced_withoutALength() {
        assertThat(identities.learn(OURS, THEIRS)).isTrue();
        String body = "_csrf=" + OURS;
        client.head(1, false, post(body.length()))
                .head(3, false, post(body.length()))
                .head(5, true, get("/between"))
                .data(3, false, body.substring(0, 9), 0)
                .data(1, true, body, 0)
                .data(3, true, body.substring(9), 0);

        HeardHttp2 heard = tell();
        assertThat(heard.problems).isEmpty();
        assertThat(heard.streams.keySet()).containsExactly(1, 3, 5);
        for (int stream : new int[] {1, 3}) {
            assertThat(heard.streams.get(stream))
                    .doesNotContain("content-length")
                    .endsWith("|]_csrf=" + THEIRS + "!");
        }
        assertThat(memory.used()).isZero();
    }

    @Test
    void trailers_endABodyThatIsReplaced() {
        assertThat(identities.learn(OURS, THEIRS)).isTrue();
        client.head(1, false, post(30))
                .data(1, false, "_csrf=" + OURS, 0)
                .head(1, true, new DefaultHttp2Headers().add("x-end", OURS));

        assertThat(tell().streams.get(1)).contains("]_csrf=" + THEIRS + "[x-end=");
    }

    @Test
    void longBodies_goOnAsTheyCome() {
        assertThat(identities.learn(OURS, THEIRS)).isTrue();
        client.head(1, false, SpokenHttp2.fields("POST", "/p", "content-type", FORM));
        for (int n = 0; n < 5; n++) {
            client.data(1, n == 4, "x".repeat(5000), 0);
        }
        client.head(3, false, post(20_000)).data(3, true, "y".repeat(20_000), 0);

        assertThat(tell().all).isEqualTo(client.bytes.toByteArray());
        assertThat(memory.used()).isZero();
    }

    @Test
    void streamThatIsGivenUp_orCutOffByTheEnd_isToldAsFarAsItCame() {
        assertThat(identities.learn(OURS, THEIRS)).isTrue();
        client.head(1, false, post(40))
                .data(1, false, "a=1", 0)
                .frame(SpokenHttp2.RST_STREAM, 0, 1, new byte[4])
                .head(3, false, post(40))
                .data(3, false, "b=2", 0);

        assertThat(tell().all).isEqualTo(client.bytes.toByteArray());
        assertThat(memory.used()).isZero();
    }

    @Test
    void whatIsSaidAboutAStream_comesAfterItsHead() {
        assertThat(identities.learn(OURS, THEIRS)).isTrue();
        client.head(1, false, post(3))
                .frame(SpokenHttp2.WINDOW_UPDATE, 0, 1, new byte[] {0, 0, 1, 0})
                .data(1, true, "a=1", 0);
        byte[] told = new Told().all(client.bytes.toByteArray(), new Random(1));

        assertThat(told[24 + 9 + 3]).as("the frame after SETTINGS").isEqualTo((byte) SpokenHttp2.HEADERS);
        assertThat(HeardHttp2.of(told).streams.get(1)).endsWith("]a=1!");
    }

    /** Debug would take it for something else. */
    @Test
    void whatCannotBeRead_isHeldBackOnceHeadsWereChanged() {
        byte[] broken = new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff};
        client.head(1, true, get("/a")).frame(SpokenHttp2.HEADERS, 5, 3, broken);
        Told unchanged = new Told();
        assertThat(unchanged.all(client.bytes.toByteArray(), new Random(1))).isEqualTo(client.bytes.toByteArray());
        assertThat(unchanged.telling.stuck()).isFalse();

        assertThat(identities.learn(OURS, THEIRS)).isTrue();
        Told changed = new Told();
        HeardHttp2 heard = HeardHttp2.of(changed.all(client.bytes.toByteArray(), new Random(1)));
        assertThat(heard.streams.keySet()).containsExactly(1);
        assertThat(heard.problems).isEmpty();
        assertThat(changed.telling.stuck()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {421, 422, 423})
    void anyMixtureOfStreams_isHeardAsItWasMeant(long seed) {
        Random random = new Random(seed);
        assertThat(identities.learn(OURS, THEIRS)).isTrue();
        for (int round = 0; round < 60; round++) {
            SpokenHttp2 spoken = mixture(random);
            byte[] said = spoken.bytes.toByteArray();
            HeardHttp2 heard = tell(said, random);
            HeardHttp2 meant = HeardHttp2.of(said);
            String which = "seed " + seed + " round " + round;
            assertThat(heard.problems).as(which).isEmpty();
            assertThat(heard.streams.keySet()).as(which).containsExactlyElementsOf(meant.streams.keySet());
            meant.streams.forEach((stream, what) -> assertThat(withoutLength(heard.streams.get(stream)))
                    .as(which)
                    .isEqualTo(withoutLength(what).replace(OURS, THEIRS)));
            assertThat(memory.used()).as(which).isZero();
        }
    }

    private static String withoutLength(@Nullable String heard) {
        return String.valueOf(heard).replaceAll("content-length=[0-9]+\\|", "");
    }

    private static SpokenHttp2 mixture(Random random) {
        SpokenHttp2 spoken = new SpokenHttp2();
        List<Integer> open = new ArrayList<>();
        for (int n = 0, next = 1; n < 40 || !open.isEmpty(); n++) {
            if (n < 40 && random.nextInt(3) > 0) {
                boolean asks = random.nextBoolean();
                String mark = random.nextInt(3) == 0 ? OURS : "m" + random.nextInt(5);
                Http2Headers fields = asks
                        ? SpokenHttp2.fields("GET", "/" + mark, "cookie", "a=" + mark, "x-" + random.nextInt(9), mark)
                        : SpokenHttp2.fields("POST", "/" + n, "content-type", FORM, "x-" + random.nextInt(9), "y");
                int longest = random.nextBoolean() ? Integer.MAX_VALUE : 1 + random.nextInt(40);
                spoken.head(next, asks, fields, random.nextInt(4), random.nextBoolean(), longest);
                if (!asks) {
                    open.add(next);
                }
                next += 2;
            } else if (!open.isEmpty()) {
                Collections.shuffle(open, random);
                int stream = open.get(0);
                boolean last = n >= 40 || random.nextInt(3) == 0;
                spoken.data(
                        stream,
                        last,
                        "f" + random.nextInt(99) + "=" + (random.nextBoolean() ? OURS : "x") + "&",
                        random.nextInt(3));
                if (last) {
                    open.remove(0);
                }
            }
        }
        return spoken;
    }

    @ParameterizedTest
    @ValueSource(longs = {431, 432, 433})
    void mutatedBytes_throwNothing(long seed) {
        Random random = new Random(seed);
        assertThat(identities.learn(OURS, THEIRS)).isTrue();
        for (int round = 0; round < 300; round++) {
            byte[] said = mixture(random).bytes.toByteArray();
            for (int n = 1 + random.nextInt(4); n > 0; n--) {
                said[24 + random.nextInt(said.length - 24)] = (byte) random.nextInt(256);
            }
            new Told().all(said, random);
            assertThat(memory.used()).as("seed %d round %d", seed, round).isZero();
        }
    }

    /** A connection's requests on their way to the debug JVM. */
    private final class Told implements RequestStream.Cut<Request> {
        final VersionTelling telling = new VersionTelling(new OwnIdentities(identities), memory);
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private final RequestStream requests = new VersionRequestStream<>(this);

        byte[] all(byte[] said, Random random) {
            for (int at = 0; at < said.length; ) {
                int next = Math.min(said.length, at + 1 + random.nextInt(random.nextBoolean() ? 20 : 20_000));
                requests.data(Unpooled.copiedBuffer(Arrays.copyOfRange(said, at, next)), 1);
                at = next;
            }
            requests.end(2);
            requests.release();
            keep(telling.rest());
            telling.release();
            return out.toByteArray();
        }

        private void keep(ByteBuf told) {
            out.writeBytes(ByteBufUtil.getBytes(told));
            told.release();
        }

        @Override
        public Request request(Request request, ByteBuf bytes, long arrivedNanos, long nanos) {
            keep(telling.request(request, bytes, trace));
            return request;
        }

        @Override
        public void body(Request request, ByteBuf bytes, long nanos) {
            keep(telling.more(bytes));
        }

        @Override
        public void requestEnd(Request request, long nanos) {}

        @Override
        public void unframed(@Nullable Request unfinished, NotCompared why, String reason, long nanos) {}

        @Override
        public void raw(ByteBuf bytes, long nanos) {
            keep(telling.more(bytes));
        }
    }
}
