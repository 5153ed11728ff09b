package dev.understudy.sidecar.command.control;

import picocli.CommandLine.IVersionProvider;

/** How commands end, and what they say they are. */
public final class Exit {
    /** Exit code: all is well. */
    public static final int FINE = 0;

    /** Exit code: it was done or said, and there is something to look at. */
    public static final int ATTENTION = 1;

    /** Exit code: it couldn't be done; wrong options or settings, an address that can't be had, nobody who answers. */
    public static final int WRONG = 2;

    private Exit() {}

    /** The version in the jar's manifest. */
    public static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Exit.class.getPackage().getImplementationVersion();
            return new String[] {"understudy sidecar " + (version == null ? "(unpacked)" : version)};
        }
    }
}
