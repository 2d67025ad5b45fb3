package io.plat.tests.linear;

import java.util.OptionalLong;

/**
 * One call of a client on one key, as the client saw it.
 *
 * @param key whose register
 * @param action what was asked
 * @param result what was answered
 * @param called when it was sent, in nanoseconds of one clock
 * @param returned when the answer was there; {@link Long#MAX_VALUE} where there was none, so that it may take effect at any time
 *     after the call, or never
 */
public record Operation(String key, Action action, Result result, long called, long returned) {
    /** A client's operation on a register whose states are numbers; 0 is absent. */
    public sealed interface Action {
        /** The state. */
        record Read() implements Action {}

        /** To be in a state if it is absent. */
        record Create(long state) implements Action {}

        /** To go from one state to another. */
        record Replace(long expected, long state) implements Action {}

        /** To be absent, if it is in a state. */
        record Delete(long expected) implements Action {}
    }

    /** A client's result. */
    public sealed interface Result {
        /** The state that a read found. */
        record Found(long state) implements Result {}

        /** The write was made. */
        record Done() implements Result {}

        /** The write was not made, because the register was in another state. */
        record Refused() implements Result {}

        /** Nobody knows: the connection broke, or the server did. */
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
