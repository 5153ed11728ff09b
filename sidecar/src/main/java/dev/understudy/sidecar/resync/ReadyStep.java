package dev.understudy.sidecar.resync;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Waits until the debug JVM accepts a connection. */
record ReadyStep() implements Step {
    private static final int PAUSE_MILLIS = 100;
    private static final int PATIENCE_MILLIS = 2000;

    @Override
    public void run(Occasion occasion) throws IOException, InterruptedException {
        if (!(occasion.address() instanceof InetSocketAddress address)) {
            return;
        }
        long begun = System.nanoTime();
        while (true) {
            try (Socket probe = new Socket()) {
                // looked up again each time: a new container may have a new address
                probe.connect(new InetSocketAddress(address.getHostString(), address.getPort()), PATIENCE_MILLIS);
                return;
            } catch (IOException notYet) {
                if (System.nanoTime() - begun > occasion.timeout().toNanos()) {
                    throw new IOException(
                            "no connection to the debug JVM within "
                                    + occasion.timeout().toSeconds() + " s: " + notYet.getMessage(),
                            notYet);
                }
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }
}
