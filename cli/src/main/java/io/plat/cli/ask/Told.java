package io.plat.cli.ask;

/**
 * What was found out.
 *
 * @param said the finding
 * @param json the whole answer as JSON
 */
// The array is the answer's own and is read, not changed; a copy for each read would buy nothing.
@SuppressWarnings("ArrayRecordComponent")
public record Told<T>(T said, byte[] json) {}
