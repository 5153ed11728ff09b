package dev.understudy.session.target.survey;

import dev.understudy.session.target.proc.Descriptors;
import dev.understudy.session.target.proc.ProcFiles;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Set;

/** Where a process listens now. Reads only. */
public final class ListeningSockets {
    private ListeningSockets() {}

    /**
     * The addresses as they are bound, in its own network.
     *
     * @throws IOException if the process has ended
     */
    public static Set<InetSocketAddress> of(long pid) throws IOException {
        ProcFiles process = new ProcFiles(Path.of("/proc"), pid);
        return TcpSurvey.read(process, Descriptors.read(process).sockets(), new ArrayList<>())
                .ports()
                .keySet();
    }
}
