package dev.understudy.relay.control.access;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tokens of a port whose settings name none: one for commands and one for agents, and their files. */
public final class GeneratedTokens implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GeneratedTokens.class);

    private final List<AccessToken> tokens =
            List.of(AccessToken.generate(Role.ADMIN), AccessToken.generate(Role.AGENT));
    private final List<TokenFile> files = new ArrayList<>();

    /** The tokens themselves. */
    public List<AccessToken> tokens() {
        return tokens;
    }

    /** Writes them to files. Where that fails the port stays shut, but for its health; production needs neither. */
    public void publish(int port) {
        try {
            for (AccessToken token : tokens) {
                files.add(TokenFile.write(port, token));
            }
            LOG.info("control port: commands of this user find its token in {}", TokenFile.path(port, Role.ADMIN));
        } catch (IOException | RuntimeException unwritable) {
            LOG.warn(
                    "control port: it refuses every caller, since its token can't be written ({}); "
                            + "set control.token, or UNDERSTUDY_RUN to a writable directory",
                    unwritable.toString());
        }
    }

    @Override
    public void close() {
        for (TokenFile file : files) {
            try {
                file.remove();
            } catch (IOException stays) {
                LOG.warn("control port: {} wasn't removed: {}", file.path(), stays.toString());
            }
        }
    }
}
