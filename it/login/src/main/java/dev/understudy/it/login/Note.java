package dev.understudy.it.login;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.springframework.util.DigestUtils;

/**
 * What somebody wrote down.
 *
 * @param id made up by the service
 * @param revision counted from 1
 * @param about the note that it is about, or null
 */
public record Note(UUID id, String text, int revision, UUID about) {
    /** Its entity tag: a hash of all of it. */
    String etag() {
        return '"' + DigestUtils.md5DigestAsHex(toString().getBytes(StandardCharsets.UTF_8)) + '"';
    }
}
