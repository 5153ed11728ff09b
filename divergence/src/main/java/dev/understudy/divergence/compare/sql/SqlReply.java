package dev.understudy.divergence.compare.sql;

import dev.understudy.divergence.content.TextSpan;
import java.util.List;
import java.util.Map;

/**
 * One server's reply to one request.
 *
 * @param results of its statements, in order
 * @param facts what the server says of the connection, by name: its settings, the state of the transaction
 * @param own what each server makes up for itself, by name: equal values aren't to be expected
 * @param complete whether it was seen to its end
 * @param tooLarge whether there was more of it, beside rows, than is kept
 * @param span from the request's arrival at this side to the reply's end
 */
public record SqlReply(
        List<SqlResult> results,
        Map<String, String> facts,
        Map<String, String> own,
        boolean complete,
        boolean tooLarge,
        TextSpan span) {}
