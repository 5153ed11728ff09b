package dev.understudy.relay.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * The certificates of a listener: each handshake gets the one that is made out to the name which the client asks for.
 *
 * <p>Replaced as a whole when their files change; handshakes that have chosen keep what they chose. Thread-safe.
 */
final class Certificates extends ServerKeyManager {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----", Pattern.DOTALL);
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS");

    private volatile Loaded loaded;
    private volatile Loaded before;

    /** Reads the files. */
    Certificates(List<KeyFiles> files) throws IOException, GeneralSecurityException {
        loaded = load(files, 0);
        before = loaded;
    }

    /** Reads the files again; what is wrong with them leaves everything as it is. */
    void reload(List<KeyFiles> files) throws IOException, GeneralSecurityException {
        Loaded next = load(files, loaded.generation + 1);
        before = loaded;
        loaded = next;
    }

    private static Loaded load(List<KeyFiles> files, int generation) throws IOException, GeneralSecurityException {
        List<Entry> entries = new ArrayList<>();
        for (KeyFiles each : files) {
            entries.add(load(each));
        }
        return new Loaded(generation, List.copyOf(entries));
    }

    private static Entry load(KeyFiles files) throws IOException, GeneralSecurityException {
        List<X509Certificate> chain = new ArrayList<>();
        try (var in = Files.newInputStream(files.chain())) {
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                chain.add((X509Certificate) each);
            }
        }
        if (chain.isEmpty()) {
            throw new GeneralSecurityException(files.chain() + ": no certificate");
        }
        PrivateKey key = key(files);
        if (!key.getAlgorithm().equals(chain.get(0).getPublicKey().getAlgorithm())) {
            throw new GeneralSecurityException(files.key() + ": not the key of " + files.chain());
        }
        return new Entry(List.copyOf(chain), key, ServerNames.of(chain.get(0)));
    }

    private static PrivateKey key(KeyFiles files) throws IOException, GeneralSecurityException {
        Matcher pem = KEY.matcher(Files.readString(files.key()));
        if (!pem.find()) {
            throw new GeneralSecurityException(
                    files.key() + ": no unencrypted PKCS #8 key (expected: -----BEGIN PRIVATE KEY-----)");
        }
        PKCS8EncodedKeySpec encoded =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(1)));
        GeneralSecurityException wrong = new GeneralSecurityException(files.key() + ": a key of none of " + ALGORITHMS);
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (GeneralSecurityException another) {
                wrong.addSuppressed(another);
            }
        }
        throw wrong;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        Loaded now = loaded;
        int fallback = -1;
        String wanted = wanted(engine);
        for (int i = 0; i < now.entries.size(); i++) {
            Entry entry = now.entries.get(i);
            if (!entry.key.getAlgorithm().equals(keyType)) {
                continue;
            }
            if (wanted != null && entry.names.match(wanted)) {
                return now.generation + ":" + i;
            }
            fallback = fallback < 0 ? i : fallback;
        }
        boolean named = wanted != null && now.entries.stream().anyMatch(entry -> entry.names.match(wanted));
        // Another kind of key has a certificate for that name: the JDK asks for that kind next.
        return named || fallback < 0 ? null : now.generation + ":" + fallback;
    }

    private @Nullable Entry entry(String alias) {
        int colon = alias.indexOf(':');
        int generation = Integer.parseInt(alias.substring(0, colon));
        int index = Integer.parseInt(alias.substring(colon + 1));
        for (Loaded each : List.of(loaded, before)) {
            if (each.generation == generation) {
                return each.entries.get(index);
            }
        }
        return null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        Entry entry = entry(alias);
        return entry == null ? null : entry.chain.toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        Entry entry = entry(alias);
        return entry == null ? null : entry.key;
    }

    private record Loaded(int generation, List<Entry> entries) {}

    private record Entry(List<X509Certificate> chain, PrivateKey key, ServerNames names) {}
}
