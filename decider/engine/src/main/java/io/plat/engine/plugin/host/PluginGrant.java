package io.plat.engine.plugin.host;

import io.plat.engine.Grant;
import io.plat.review.source.Quoted;

/**
 * A plug-in's allow.
 *
 * @param authorizer the plug-in's name
 * @param source the jar that contains it
 * @param rule the plug-in's reason, or {@code ""}
 */
record PluginGrant(String authorizer, String source, String rule) implements Grant {
    @Override
    public String maskedReason() {
        return "";
    }

    @Override
    public String reason() {
        return reason("allowed", authorizer, rule);
    }

    /** Returns the reason of a decision with the plug-in's own words. */
    static String reason(String verb, String name, String reason) {
        String by = verb + " by plug-in " + Quoted.of(name);
        return reason.isEmpty() ? by : by + ": " + reason;
    }
}
