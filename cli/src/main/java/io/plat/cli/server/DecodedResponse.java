package io.plat.cli.server;

/**
 * A decoded response.
 *
 * @param said the decoded value
 * @param json the whole response as JSON
 */
// The array is the answer's own and is read, not changed; a copy for each read would buy nothing.
@SuppressWarnings("ArrayRecordComponent")
public record DecodedResponse<T>(T said, byte[] json) {}
