package io.plat.cli.server;

/**
 * An answer that was understood.
 *
 * @param said what it says
 * @param json the whole answer as JSON
 */
// The array is the answer's own and is read, not changed; a copy for each read would buy nothing.
@SuppressWarnings("ArrayRecordComponent")
public record Answered<T>(T said, byte[] json) {}
