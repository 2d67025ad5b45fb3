package io.plat.engine.plugin;

import java.util.Objects;

/**
 * Decision of a plug-in. There is no veto: another mode may allow a refused request.
 *
 * @param allowed whether the request is allowed
 * @param reason the reason for the caller, or {@code ""}; one line of up to 1024 characters is shown
 */
public record PluginDecision(boolean allowed, String reason) {
    public PluginDecision {
        Objects.requireNonNull(reason);
    }

    /** Returns a decision that allows the request. */
    public static PluginDecision allow(String reason) {
        return new PluginDecision(true, reason);
    }

    /** Returns a decision that does not allow the request. */
    public static PluginDecision refuse(String reason) {
        return new PluginDecision(false, reason);
    }
}
