package dev.understudy.aggregator;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Single calls, streams of the server, and what counts of a call. */
class GrpcEndToEndTest extends GrpcStage {
    @Test
    void unaryCall_getsProductionsReply() {
        String first = once(production, "a");
        String second = once(production, "a");

        assertThat(List.of(first, second)).containsExactly("1 a", "2 a");
        assertThat(List.of(once(debug, "a"), once(debug, "a"))).containsExactly(first, second);
        assertReplayed(2);
    }

    @Test
    void failure_isReplayedAsItWas() {
        assertThatThrownBy(() -> once(production, "fail")).hasMessage("FAILED_PRECONDITION: no 1");
        assertThatThrownBy(() -> once(debug, "fail")).hasMessage("FAILED_PRECONDITION: no 1");
        assertReplayed(1);
    }

    @Test
    void serverStream_getsAllOfIt() {
        List<String> real = pieces(production, "p");

        assertThat(real).hasSize(5);
        assertThat(pieces(debug, "p")).isEqualTo(real);
        assertReplayed(1);
    }

    @Test
    void serverStreamThatGoesOn_reachesDebugMeanwhile() throws Exception {
        GrpcConversation real = new GrpcConversation(production, GrpcEcho.PIECES);
        real.call("endless");
        assertThat(real.next()).isEqualTo("1.0 endless");

        GrpcConversation replayed = new GrpcConversation(debug, GrpcEcho.PIECES);
        replayed.call("endless");
        for (int n = 0; n < 5; n++) {
            assertThat(replayed.next()).isEqualTo("1." + n + " endless");
        }
        assertThat(replayed.poll()).isNull();
        replayed.cancel();
        real.cancel();
        Eventually.await(() -> TestAggregator.status(aggregator).contains("\"unused\":0,"));
        assertThat(TestAggregator.status(aggregator)).contains("\"replayed\":1,", "\"missed\":0,");
    }

    @Test
    void serverStreamThatProductionGaveUp_getsWhatProductionHad() throws Exception {
        GrpcConversation real = new GrpcConversation(production, GrpcEcho.PIECES);
        real.call("endless");
        for (int n = 0; n < 5; n++) {
            assertThat(real.next()).isEqualTo("1." + n + " endless");
        }
        real.cancel();
        Eventually.await(() -> TestAggregator.status(aggregator).contains("\"exchanges\":1,"));

        GrpcConversation replayed = new GrpcConversation(debug, GrpcEcho.PIECES);
        replayed.call("endless");
        for (int n = 0; n < 5; n++) {
            assertThat(replayed.next()).isEqualTo("1." + n + " endless");
        }
        assertThat(replayed.poll()).isNull();
        replayed.cancel();
        assertReplayed(1);
    }

    @Test
    void callThatProductionNeverMade_isUnavailableWithWhatIsNearest() throws Exception {
        open("wait: 1ms");
        once(production, "a");
        TestAggregator.awaitUnused(aggregator, 1);

        assertThatThrownBy(() -> once(debug, "b")).isInstanceOfSatisfying(StatusRuntimeException.class, failed -> {
            assertThat(failed.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(failed).hasMessageContaining("no recorded reply to POST /test.Echo/once");
            assertThat(failed).hasMessageContaining("nearest: POST /test.Echo/once");
        });
        assertThat(server.calls).hasSize(1);
        assertThat(TestAggregator.get(aggregator, "/v1/misses")).contains("/test.Echo/once");
    }

    @Test
    void deadlineTraceAndOtherMetadata_dontCount_chosenOneDoes() throws Exception {
        open("wait: 1ms", "form: { headers: [content-type, x-tenant] }");
        Channel traced = ClientInterceptors.intercept(production, metadata("traceparent", "00-1", "x-tenant", "7"));
        String real = ClientCalls.blockingUnaryCall(
                traced, GrpcEcho.ONCE, CallOptions.DEFAULT.withDeadlineAfter(50, TimeUnit.SECONDS), "a");
        TestAggregator.awaitUnused(aggregator, 1);

        Channel other = ClientInterceptors.intercept(debug, metadata("traceparent", "00-2", "x-tenant", "8"));
        assertThatThrownBy(() -> ClientCalls.blockingUnaryCall(other, GrpcEcho.ONCE, CallOptions.DEFAULT, "a"))
                .hasMessageStartingWith("UNAVAILABLE");
        Channel same = ClientInterceptors.intercept(debug, metadata("traceparent", "00-2", "x-tenant", "7"));
        assertThat(ClientCalls.blockingUnaryCall(
                        same, GrpcEcho.ONCE, CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS), "a"))
                .isEqualTo(real);
    }

    @Test
    void compressedCall_isReplayedCompressed() {
        CallOptions gzip = CallOptions.DEFAULT.withCompression("gzip");
        String message = "z".repeat(50_000);
        String real = ClientCalls.blockingUnaryCall(production, GrpcEcho.ONCE, gzip, message);

        assertThat(ClientCalls.blockingUnaryCall(debug, GrpcEcho.ONCE, gzip, message))
                .isEqualTo(real);
        assertReplayed(1);
    }

    @Test
    void healthAndReflection_areAnsweredWithoutEatingReplies() throws Exception {
        assertThatThrownBy(() -> call(debug, GrpcEcho.HEALTH, "")).hasMessageStartingWith("UNIMPLEMENTED");
        GrpcConversation reflection = new GrpcConversation(debug, GrpcEcho.REFLECT);
        reflection.say("list");
        reflection.end();
        assertThat(reflection.next()).startsWith("UNIMPLEMENTED");

        String healthy = call(production, GrpcEcho.HEALTH, "");
        Eventually.await(() -> TestAggregator.status(aggregator).contains("\"exchanges\":1,"));
        for (int n = 0; n < 3; n++) {
            assertThat(call(debug, GrpcEcho.HEALTH, "")).isEqualTo(healthy);
        }
        assertThatThrownBy(() -> call(debug, GrpcEcho.HEALTH, "other")).hasMessageStartingWith("UNIMPLEMENTED");
        assertThat(TestAggregator.status(aggregator)).contains("\"local\":3", "\"missed\":3");
        assertThat(server.calls).hasSize(1);
    }

    @Test
    void manyCallsAtOnce_eachGetTheirOwn() throws Exception {
        int calls = 200;
        List<GrpcConversation> real = new ArrayList<>();
        for (int n = 0; n < calls; n++) {
            real.add(new GrpcConversation(production, GrpcEcho.ONCE));
            real.get(n).call("m" + n);
        }
        List<String> answers = new ArrayList<>();
        for (GrpcConversation one : real) {
            answers.add(one.next());
        }
        List<GrpcConversation> replayed = new ArrayList<>();
        for (int n = 0; n < calls; n++) {
            replayed.add(new GrpcConversation(debug, GrpcEcho.ONCE));
            replayed.get(n).call("m" + n);
        }
        for (int n = 0; n < calls; n++) {
            assertThat(replayed.get(n).next()).isEqualTo(answers.get(n)).endsWith(" m" + n);
        }
        assertThat(server.calls).hasSize(calls);
    }

    private static ClientInterceptor metadata(String... pairs) {
        Metadata metadata = new Metadata();
        for (int i = 0; i < pairs.length; i += 2) {
            metadata.put(Metadata.Key.of(pairs[i], Metadata.ASCII_STRING_MARSHALLER), pairs[i + 1]);
        }
        return MetadataUtils.newAttachHeadersInterceptor(metadata);
    }

    private static List<String> pieces(ManagedChannel channel, String message) {
        List<String> pieces = new ArrayList<>();
        Iterator<String> all =
                ClientCalls.blockingServerStreamingCall(channel, GrpcEcho.PIECES, CallOptions.DEFAULT, message);
        all.forEachRemaining(pieces::add);
        return pieces;
    }
}
