package dev.understudy.sidecar.command.control;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/** Says in one line why a control port couldn't be called, and the way out. */
final class CallFailure {
    private static final Pattern ALERT_ABOUT_CERTIFICATE = Pattern.compile("alert: (\\w*certificate\\w*|unknown_ca)");
    private static final Pattern ENDED = Pattern.compile("(?i)received no bytes|EOF|reset|broken pipe|closed");

    private final PortOwner owner;
    private final URI base;
    private final boolean identified;

    /** @param identified whether the caller has a certificate */
    CallFailure(PortOwner owner, URI base, boolean identified) {
        this.owner = owner;
        this.base = base;
        this.identified = identified;
    }

    /** What is told of {@code failure}. */
    IOException describe(IOException failure) {
        return new IOException(base + ": " + reason(failure), failure);
    }

    private String reason(IOException failure) {
        if (failure instanceof ConnectException) {
            return "nobody answers (is the " + owner.word() + " running? --url names its control port)";
        }
        return "https".equals(base.getScheme()) ? overTls(failure) : inPlainText(failure);
    }

    private String inPlainText(IOException failure) {
        return hasEnded(failure)
                ? "ended the connection without a reply (does it speak TLS? --url https://… then)"
                : String.valueOf(failure.getMessage());
    }

    private String overTls(IOException failure) {
        String message = String.valueOf(failure.getMessage());
        if (has(failure, CertificateExpiredException.class) || has(failure, CertificateNotYetValidException.class)) {
            return "its certificate isn't valid at this time: " + message;
        }
        if (has(failure, CertPathBuilderException.class) || has(failure, CertPathValidatorException.class)) {
            return "its certificate isn't trusted (expected: --ca FILE with who vouches for it, or "
                    + owner.variable("CA") + ")";
        }
        if (has(failure, CertificateException.class)) {
            return "its certificate isn't made out to " + base.getHost() + " (expected: a --url with its name): "
                    + message;
        }
        if (ALERT_ABOUT_CERTIFICATE.matcher(message).find()) {
            return identified ? "it refuses this caller's certificate: " + message : wantsCertificate();
        }
        if (failure instanceof SSLException && message.contains("SSL message")) {
            return "it doesn't speak TLS (expected: --url http://…)";
        }
        if (failure instanceof HttpTimeoutException) {
            return message + " (does it speak TLS? --url http://… otherwise)";
        }
        if (hasEnded(failure)) {
            return identified
                    ? "it ended the connection, as if it refuses this caller's certificate"
                    : wantsCertificate();
        }
        return message;
    }

    private String wantsCertificate() {
        return "it wants a certificate of its callers (expected: --certificate FILE and --key FILE, or "
                + owner.variable("CERTIFICATE") + " and " + owner.variable("KEY") + ")";
    }

    private static boolean hasEnded(IOException failure) {
        return ENDED.matcher(String.valueOf(failure.getMessage())).find();
    }

    private static boolean has(Throwable failure, Class<? extends Exception> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }
}
