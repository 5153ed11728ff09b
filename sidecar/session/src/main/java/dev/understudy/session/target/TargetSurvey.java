package dev.understudy.session.target;

import java.util.List;

/**
 * All that a session needs to know of a running target. Reading it changed nothing, and attached to nothing.
 *
 * @param residentBytes its memory that is in RAM
 * @param threads of the operating system
 * @param ports by number
 * @param upstreams by address
 * @param unixPeers by path
 * @param files those that are written, mapped for writing, or deleted
 * @param notes what couldn't be seen, and why; a sentence each
 */
public record TargetSurvey(
        TargetProcess process,
        ProcessNamespaces namespaces,
        JvmFacts jvm,
        long residentBytes,
        int threads,
        List<ListeningPort> ports,
        List<UpstreamAddress> upstreams,
        List<UnixPeer> unixPeers,
        List<OpenFile> files,
        List<String> notes) {
    public TargetSurvey {
        ports = List.copyOf(ports);
        upstreams = List.copyOf(upstreams);
        unixPeers = List.copyOf(unixPeers);
        files = List.copyOf(files);
        notes = List.copyOf(notes);
    }

    /** The ports whose clients the copy gets. */
    public List<ListeningPort> copiedPorts() {
        return ports.stream().filter(ListeningPort::isCopied).toList();
    }

    /** The upstreams that answer the copy by what they answered production. */
    public List<UpstreamAddress> recordedUpstreams() {
        return upstreams.stream().filter(UpstreamAddress::isRecorded).toList();
    }
}
