package dev.understudy.sidecar.command;

import dev.understudy.relay.connect.Address;
import dev.understudy.relay.split.ProxyRun;
import dev.understudy.sidecar.Sidecar;
import java.util.List;

/** A sidecar in one process. */
record WholeSidecar(Sidecar sidecar) implements ProxyRun {
    @Override
    public String ready() {
        return SplitSidecar.places(sidecar.addresses(), Address.spell(sidecar.controlAddress()));
    }

    @Override
    public List<String> lastLines() {
        return sidecar.fidelity().entrySet().stream()
                .map(listener -> listener.getKey() + ": " + listener.getValue())
                .toList();
    }

    @Override
    public void close() {
        sidecar.close();
    }

    @Override
    public void hurry() {
        sidecar.hurry();
    }
}
