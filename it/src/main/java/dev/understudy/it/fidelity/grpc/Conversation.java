package dev.understudy.it.fidelity.grpc;

import dev.understudy.it.fidelity.Transcript;
import dev.understudy.it.fidelity.server.GrpcMethods;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** One call of any kind as its client sees it, message by message; with metadata, and the details of an error. */
final class Conversation extends ClientCall.Listener<String> {
    private static final int LONGEST_SHOWN = 200;

    private final ClientCall<String, String> call;
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private boolean over;

    private Conversation(ClientCall<String, String> call) {
        this.call = call;
    }

    static Conversation begin(Channel channel, MethodDescriptor<String, String> method, CallOptions options) {
        return begin(channel, method, options, new Metadata());
    }

    static Conversation begin(
            Channel channel, MethodDescriptor<String, String> method, CallOptions options, Metadata metadata) {
        Conversation begun = new Conversation(channel.newCall(method, options));
        begun.call.start(begun, metadata);
        begun.call.request(Integer.MAX_VALUE);
        begun.call.setMessageCompression(true);
        return begun;
    }

    Conversation say(String... messages) {
        for (String message : messages) {
            call.sendMessage(message);
        }
        return this;
    }

    Conversation end() {
        call.halfClose();
        return this;
    }

    void cancel() {
        call.cancel("enough", null);
    }

    /** So many messages, or what came instead. */
    String next(int messages) throws InterruptedException {
        StringBuilder all = new StringBuilder();
        for (int n = 0; n < messages && !over; n++) {
            String next = heard.poll(20, TimeUnit.SECONDS);
            all.append(next == null ? Transcript.SILENCE : next).append('\n');
            over = next == null || next.startsWith("end ");
        }
        return all.toString();
    }

    /** All that comes up to the end. */
    String rest() throws InterruptedException {
        return next(Integer.MAX_VALUE);
    }

    @Override
    public void onHeaders(Metadata headers) {
        String told = headers.get(GrpcMethods.TOLD);
        if (told != null) {
            heard.add("told " + told);
        }
    }

    @Override
    public void onMessage(String message) {
        heard.add(
                message.length() <= LONGEST_SHOWN
                        ? message
                        : message.length() + " characters #" + message.hashCode() + " "
                                + message.substring(0, LONGEST_SHOWN));
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        byte[] details = trailers.get(GrpcMethods.DETAILS);
        // how long the client has waited is nobody's answer
        boolean own = status.getCode() == Status.Code.DEADLINE_EXCEEDED;
        heard.add("end " + status.getCode()
                + (own ? "" : " " + status.getDescription())
                + " told " + trailers.get(GrpcMethods.TOLD)
                + (details == null ? "" : " with " + new String(details, StandardCharsets.UTF_8)));
    }
}
