package io.plat.tests.linear;

import java.util.OptionalLong;

/**
 * An operation of a client on one key.
 *
 * @param key key of the register
 * @param action requested operation
 * @param result response
 * @param called time of the request, in nanoseconds of one clock
 * @param returned time of the response; {@link Long#MAX_VALUE} without one, so that it may take effect at any time after the call, or never
 */
public record Operation(String key, Action action, Result result, long called, long returned) {
    /** An operation on a register whose states are numbers; 0 is absent. */
    public sealed interface Action {
        /** Read. */
        record Read() implements Action {}

        /** Create if absent. */
        record Create(long state) implements Action {}

        /** Compare and set. */
        record Replace(long expected, long state) implements Action {}

        /** Compare and delete. */
        record Delete(long expected) implements Action {}
    }

    /** Result of an operation. */
    public sealed interface Result {
        /** State that a read returned. */
        record Found(long state) implements Result {}

        /** The write succeeded. */
        record Done() implements Result {}

        /** The write was refused, as the register was in another state. */
        record Refused() implements Result {}

        /** Unknown, as the connection or the server failed. */
        record Unknown() implements Result {}
    }

    /** Returns the state after this operation; empty if it is impossible in the given state. */
    public OptionalLong after(long state) {
        return switch (result) {
            case Result.Found found -> found.state() == state ? OptionalLong.of(state) : OptionalLong.empty();
            case Result.Done ignored -> effect(state);
            case Result.Refused ignored -> effect(state).isPresent() ? OptionalLong.empty() : OptionalLong.of(state);
            // Without an effect it need not be in the order at all.
            case Result.Unknown ignored -> action instanceof Action.Read ? OptionalLong.empty() : effect(state);
        };
    }

    private OptionalLong effect(long state) {
        return switch (action) {
            case Action.Read ignored -> OptionalLong.of(state);
            case Action.Create create -> state == 0 ? OptionalLong.of(create.state()) : OptionalLong.empty();
            case Action.Replace replace ->
                replace.expected() == state ? OptionalLong.of(replace.state()) : OptionalLong.empty();
            case Action.Delete delete -> delete.expected() == state ? OptionalLong.of(0) : OptionalLong.empty();
        };
    }
}
