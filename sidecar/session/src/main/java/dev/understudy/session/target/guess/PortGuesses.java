package dev.understudy.session.target.guess;

import dev.understudy.session.target.ListeningPort;
import dev.understudy.session.target.TlsUse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What clients speak at the target's own ports. Immutable. */
public final class PortGuesses {
    private static final List<String> WEB_PORTS = List.of(
            "server.port",
            "management.server.port",
            "quarkus.http.port",
            "micronaut.server.port",
            "helidon.server.port",
            "grpc.server.port",
            "http.port");
    private static final List<String> MANAGEMENT_PORTS =
            List.of("com.sun.management.jmxremote.port", "com.sun.management.jmxremote.rmi.port");
    private static final Pattern DEBUGGER =
            Pattern.compile("-(?:agentlib:|X?run)jdwp[=:].{0,200}?address=(?:[^,:]{0,100}:)?(\\d{1,5})(?:,.*)?");

    private final Map<Integer, String> chosen;
    private final List<String> command;
    private final SettingWords settings;
    private final Set<String> servers;

    /**
     * @param chosen protocols that somebody chose, by port
     * @param libraries names of the JVM's libraries
     */
    public PortGuesses(
            Map<Integer, String> chosen, List<String> command, SettingWords settings, Set<String> libraries) {
        this.chosen = Map.copyOf(chosen);
        this.command = List.copyOf(command);
        this.settings = settings;
        this.servers = KnownLibrary.HTTP_SERVER.in(libraries);
    }

    /** What is spoken at that port. */
    public ProtocolGuess of(int port) {
        String choice = chosen.get(port);
        if (choice != null) {
            return new ProtocolGuess(choice, "chosen by --protocol", TlsUse.UNKNOWN);
        }
        Optional<String> management = management(port);
        if (management.isPresent()) {
            return new ProtocolGuess(ListeningPort.NOT_COPIED, management.get(), TlsUse.UNKNOWN);
        }
        for (String name : WEB_PORTS) {
            if (settings.port(name).filter(Integer.valueOf(port)::equals).isPresent()) {
                String place =
                        settings.find(name).map(SettingWords.Setting::place).orElse(name);
                return new ProtocolGuess("http", place, name.equals("server.port") ? serverTls(port) : usual(port));
            }
        }
        Optional<KnownPort> known = KnownPort.of(port);
        if (known.isPresent()) {
            return new ProtocolGuess(
                    known.get().protocol(),
                    "the port is usual for " + known.get().owner(),
                    usual(port));
        }
        return servers.isEmpty()
                ? new ProtocolGuess("tcp", "nothing shows it; choose by --protocol " + port + "=NAME", TlsUse.UNKNOWN)
                : new ProtocolGuess(
                        "http",
                        "a library for HTTP servers: " + servers.iterator().next(),
                        TlsUse.UNKNOWN);
    }

    private Optional<String> management(int port) {
        for (String name : MANAGEMENT_PORTS) {
            if (settings.port(name).filter(Integer.valueOf(port)::equals).isPresent()) {
                return Optional.of("JMX, by the command line");
            }
        }
        for (String word : command) {
            Matcher debugger = DEBUGGER.matcher(word);
            if (debugger.matches() && debugger.group(1).equals(Integer.toString(port))) {
                return Optional.of("the debugger's, by the command line");
            }
        }
        return Optional.empty();
    }

    private TlsUse serverTls(int port) {
        boolean set = settings.settings().stream()
                .anyMatch(setting -> setting.name().matches("(?i)server[._]ssl[._](key.?store|bundle|certificate)")
                        && !setting.value().isEmpty());
        return set ? TlsUse.YES : usual(port);
    }

    private static TlsUse usual(int port) {
        return KnownPort.of(port).map(KnownPort::tls).orElse(TlsUse.UNKNOWN);
    }
}
