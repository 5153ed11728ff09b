package dev.understudy.sidecar.upstream;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Collects a reply's body up to a limit; a longer one ends the exchange. Confined to the client's calls. */
final class BoundedReply implements BodySubscriber<byte[]> {
    private final int largest;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;

    /** @param largest in bytes */
    BoundedReply(int largest) {
        this.largest = largest;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return whole;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> pieces) {
        for (ByteBuffer piece : pieces) {
            if (bytes.size() + piece.remaining() > largest) {
                if (subscription != null) {
                    subscription.cancel();
                }
                whole.completeExceptionally(new TooLongException("it answers more than " + largest + " bytes"));
                return;
            }
            byte[] read = new byte[piece.remaining()];
            piece.get(read);
            bytes.writeBytes(read);
        }
    }

    @Override
    public void onError(Throwable failed) {
        whole.completeExceptionally(failed);
    }

    @Override
    public void onComplete() {
        whole.complete(bytes.toByteArray());
    }

    /** A body is longer than its limit. */
    static final class TooLongException extends IOException {
        private static final long serialVersionUID = 1L;

        TooLongException(String message) {
            super(message);
        }
    }
}
