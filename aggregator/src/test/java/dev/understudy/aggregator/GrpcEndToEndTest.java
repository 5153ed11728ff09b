package dev.understudy.aggregator;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A real gRPC client and server: production's calls reach the server, debug's are answered from them. */
class GrpcEndToEndTest {
    private static final int MANY = 20_000;

    private GrpcEcho server;
    private Aggregator aggregator;
    private ManagedChannel production;
    private ManagedChannel debug;

    @BeforeEach
    void start() throws IOException {
        server = new GrpcEcho();
        open("wait: 30s");
    }

    private void open(String... settings) throws IOException {
        stopClients();
        aggregator = TestAggregator.open("http", server.port(), settings);
        production = channel(aggregator.productionAddress("test"));
        debug = channel(aggregator.debugAddress("test"));
    }

    @AfterEach
    void stop() {
        stopClients();
        server.close();
    }

    private void stopClients() {
        if (aggregator != null) {
            production.shutdownNow();
            debug.shutdownNow();
            aggregator.close();
        }
    }

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
    void clientStream_isMatchedByAllItsMessages() throws Exception {
        assertThat(sum(production, "a", "b", "c")).isEqualTo("1 a+b+c+");
        assertThat(sum(production, "a", "b", "d")).isEqualTo("2 a+b+d+");

        assertThat(sum(debug, "a", "b", "d")).isEqualTo("2 a+b+d+");
        assertThat(sum(debug, "a", "b", "c")).isEqualTo("1 a+b+c+");
        assertReplayed(2);
    }

    @Test
    void clientStreamThatFailsBeforeItsEnd_failsAsItDid() throws Exception {
        failing(production, "a", "fail");
        failing(debug, "a", "fail");
        assertReplayed(1);
    }

    @Test
    void clientStreamsThatBeginAlike_eachGetTheirOwn_whateverTheirOrder() throws Exception {
        failing(production, "a", "fail");
        failing(production, "a", "b", "fail");
        assertThat(sum(production, "a")).isEqualTo("1 a+");

        assertThat(sum(debug, "a")).isEqualTo("1 a+");
        failing(debug, "a", "b", "fail");
        failing(debug, "a", "fail");
        assertReplayed(3);
    }

    @Test
    void clientStreamThatGoesOnLate_isNoMiss_whereProductionsWasAnsweredLater() throws Exception {
        open("wait: 100ms");
        failing(production, "a", "fail");

        GrpcConversation replayed = new GrpcConversation(debug, GrpcEcho.SUM);
        replayed.say("a");
        assertThat(replayed.poll()).isNull();
        TimeUnit.MILLISECONDS.sleep(300); // beyond the wait
        assertThat(replayed.poll()).isNull();
        replayed.say("fail");
        assertThat(replayed.next()).isEqualTo("OUT_OF_RANGE no more");
        assertReplayed(1);
    }

    @Test
    void conversationThatProductionNeverHad_isAMiss_whereItsWereAnsweredAtOnce() throws Exception {
        open("wait: 100ms");
        new GrpcConversation(production, GrpcEcho.TALK).exchange("a", "b");

        GrpcConversation other = new GrpcConversation(debug, GrpcEcho.TALK);
        other.say("other");
        assertThat(other.next()).startsWith("UNAVAILABLE");
    }

    private static void failing(ManagedChannel side, String... messages) throws Exception {
        GrpcConversation call = new GrpcConversation(side, GrpcEcho.SUM);
        for (String message : messages) {
            call.say(message);
        }
        assertThat(call.next()).isEqualTo("OUT_OF_RANGE no more");
    }

    @Test
    void conversation_isAnsweredAsFarAsDebugHasSaidWhatProductionHad() throws Exception {
        GrpcConversation real = new GrpcConversation(production, GrpcEcho.TALK);
        List<String> heard = real.exchange("a", "b", "c");
        assertThat(heard).containsExactly("1.1 a", "1.2 b", "1.3 c", "1 bye", "end");

        GrpcConversation replayed = new GrpcConversation(debug, GrpcEcho.TALK);
        replayed.say("a");
        assertThat(replayed.next()).isEqualTo("1.1 a");
        assertThat(replayed.poll()).isNull();
        replayed.say("b");
        assertThat(replayed.next()).isEqualTo("1.2 b");
        replayed.say("c");
        assertThat(replayed.next()).isEqualTo("1.3 c");
        assertThat(replayed.poll()).isNull();
        replayed.end();
        assertThat(List.of(replayed.next(), replayed.next())).containsExactly("1 bye", "end");
        assertReplayed(1);
    }

    @Test
    void conversationThatDebugSaysAtOnce_isTheSame() throws Exception {
        new GrpcConversation(production, GrpcEcho.TALK).exchange("a", "b");

        GrpcConversation replayed = new GrpcConversation(debug, GrpcEcho.TALK);
        replayed.say("a");
        replayed.say("b");
        replayed.end();
        assertThat(List.of(replayed.next(), replayed.next(), replayed.next(), replayed.next()))
                .containsExactly("1.1 a", "1.2 b", "1 bye", "end");
        assertReplayed(1);
    }

    @Test
    void conversationThatGoesAnotherWay_endsWhereItDoes() throws Exception {
        new GrpcConversation(production, GrpcEcho.TALK).exchange("a", "b");

        GrpcConversation replayed = new GrpcConversation(debug, GrpcEcho.TALK);
        replayed.say("a");
        assertThat(replayed.next()).isEqualTo("1.1 a");
        replayed.say("x");
        assertThat(replayed.next()).startsWith("UNAVAILABLE").contains("message 2 isn't the one that production sent");
        assertThat(TestAggregator.status(aggregator)).contains("\"missed\":1");
        assertThat(server.calls).hasSize(1);
    }

    @Test
    void conversationBeforeProductions_waitsForIt() throws Exception {
        GrpcConversation early = new GrpcConversation(debug, GrpcEcho.TALK);
        early.say("a");
        Eventually.await(() -> TestAggregator.status(aggregator).contains("\"requests\":1"));
        new GrpcConversation(production, GrpcEcho.TALK).exchange("a");

        assertThat(early.next()).isEqualTo("1.1 a");
        early.end();
        assertThat(List.of(early.next(), early.next())).containsExactly("1 bye", "end");
        assertReplayed(1);
    }

    @Test
    @Tag("slow")
    void conversationOfManyMessages_isReplayedToItsEnd_thoughDebugSaysItAtOnce() throws Exception {
        manyAreRecorded();

        GrpcConversation replayed = new GrpcConversation(debug, GrpcEcho.TALK);
        for (int n = 0; n < MANY; n++) {
            replayed.say("a");
        }
        replayed.end();
        for (int n = 1; n <= MANY; n++) {
            assertThat(replayed.next()).isEqualTo("1." + n + " a");
        }
        assertThat(List.of(replayed.next(), replayed.next())).containsExactly("1 bye", "end");
        assertReplayed(1);
    }

    @Test
    @Tag("slow")
    void conversationOfManyMessages_thatGoesAnotherWayLate_endsWhereItDoes() throws Exception {
        manyAreRecorded();

        GrpcConversation replayed = new GrpcConversation(debug, GrpcEcho.TALK);
        for (int n = 1; n < MANY; n++) {
            replayed.say("a");
        }
        replayed.say("b");
        int answers = 0;
        String heard = replayed.next();
        while (heard.equals("1." + (answers + 1) + " a")) {
            answers++;
            heard = replayed.next();
        }
        assertThat(answers).as("what production had got before").isLessThan(MANY);
        assertThat(heard).startsWith("UNAVAILABLE").contains("message " + MANY + " isn't the one");
        assertThat(TestAggregator.status(aggregator)).contains("\"missed\":1");
    }

    @Test
    @Tag("slow")
    void clientStreamOfManyMessages_isMatchedByAllOfThem() throws Exception {
        open("wait: 1ms");
        String[] messages = "a,".repeat(MANY).split(",");
        messages[MANY - 1] = "b";
        String real = sum(production, messages);
        TestAggregator.awaitUnused(aggregator, 1);
        assertThat(sum(debug, messages)).isEqualTo(real).endsWith("+b+");
        messages[MANY - 2] = "c";
        assertThat(sum(debug, messages)).startsWith("UNAVAILABLE");
    }

    /** Production says and hears more messages than may be held. */
    private void manyAreRecorded() throws Exception {
        GrpcConversation real = new GrpcConversation(production, GrpcEcho.TALK);
        for (int n = 0; n < MANY; n++) {
            real.say("a");
        }
        for (int n = 1; n <= MANY; n++) {
            assertThat(real.next()).isEqualTo("1." + n + " a");
        }
        real.end();
        Eventually.await(() -> TestAggregator.status(aggregator).contains("\"exchanges\":1,"));
        assertThat(TestAggregator.status(aggregator).replaceAll("(?s).*\"large\":", ""))
                .as("whether it is in a file")
                .contains("\"unused\":1");
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

    private void assertReplayed(int calls) {
        assertThat(TestAggregator.status(aggregator))
                .contains("\"replayed\":" + calls, "\"missed\":0", "\"unframed\":{}");
        assertThat(server.calls).hasSize(calls);
    }

    private static ClientInterceptor metadata(String... pairs) {
        Metadata metadata = new Metadata();
        for (int i = 0; i < pairs.length; i += 2) {
            metadata.put(Metadata.Key.of(pairs[i], Metadata.ASCII_STRING_MARSHALLER), pairs[i + 1]);
        }
        return MetadataUtils.newAttachHeadersInterceptor(metadata);
    }

    private static String once(ManagedChannel channel, String message) {
        return call(channel, GrpcEcho.ONCE, message);
    }

    private static String call(ManagedChannel channel, MethodDescriptor<String, String> method, String message) {
        return ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, message);
    }

    private static List<String> pieces(ManagedChannel channel, String message) {
        List<String> pieces = new ArrayList<>();
        Iterator<String> all =
                ClientCalls.blockingServerStreamingCall(channel, GrpcEcho.PIECES, CallOptions.DEFAULT, message);
        all.forEachRemaining(pieces::add);
        return pieces;
    }

    private static String sum(ManagedChannel channel, String... messages) throws Exception {
        GrpcConversation call = new GrpcConversation(channel, GrpcEcho.SUM);
        for (String message : messages) {
            call.say(message);
        }
        call.end();
        return call.next();
    }

    private static ManagedChannel channel(SocketAddress address) {
        return NettyChannelBuilder.forAddress("127.0.0.1", ((InetSocketAddress) address).getPort())
                .usePlaintext()
                .build();
    }
}
