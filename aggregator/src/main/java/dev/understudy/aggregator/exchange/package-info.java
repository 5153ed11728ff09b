/**
 * What recording, the journal and replay say to each other, whatever the protocol: a
 * {@link dev.understudy.aggregator.exchange.Form} was asked, a {@link dev.understudy.aggregator.exchange.RecordedReply} was
 * given, both together are {@link dev.understudy.aggregator.exchange.Recorded}, and a
 * {@link dev.understudy.aggregator.exchange.ReplyCodec} puts them into bytes.
 *
 * <p>Values only: nothing here has a thread, a socket or a file.
 */
@NullMarked
package dev.understudy.aggregator.exchange;

import org.jspecify.annotations.NullMarked;
