package io.plat.cli.server;

/**
 * A decoded response.
 *
 * @param value the decoded value
 * @param json the whole response as JSON
 */
// The array is not shared or modified.
@SuppressWarnings("ArrayRecordComponent")
public record DecodedResponse<T>(T value, byte[] json) {}
