/**
 * The stream of tapped connections as checksummed blocks of records, in memory and in files.
 *
 * <pre>
 *   block    magic "UBLK" · length of the records, connection · CRC-32C of those two and the records · records
 *   record   event · nanoTime · length · bytes
 * </pre>
 *
 * <p>{@link dev.understudy.relay.stream.BlockWriter} makes blocks and {@link dev.understudy.relay.stream.BlockReader}
 * reads them, whatever they lie in. {@link dev.understudy.relay.stream.Spill} keeps blocks of all lanes in segment
 * files of its own until they are wanted again, with one thread for all its files: lanes never touch a disk. Files of a
 * spill that is kept are read by the next process; a block that nobody wants any more has another magic there. Numbers
 * are big-endian.
 */
@NullMarked
package dev.understudy.relay.stream;

import org.jspecify.annotations.NullMarked;
