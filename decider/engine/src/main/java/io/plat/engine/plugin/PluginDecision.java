package io.plat.engine.plugin;

import java.util.Objects;

/**
 * Decision of a plug-in. There is no veto: what one mode refuses another may allow.
 *
 * @param allowed whether the request is allowed
 * @param reason the reason for the caller, or {@code ""}; one line of up to 1024 characters is shown
 */
public record PluginDecision(boolean allowed, String reason) {
    public PluginDecision {
        Objects.requireNonNull(reason);
    }

    /** The request may go on. */
    public static PluginDecision allow(String reason) {
        return new PluginDecision(true, reason);
    }

    /** This plug-in does not let the request go on. */
    public static PluginDecision refuse(String reason) {
        return new PluginDecision(false, reason);
    }
}
