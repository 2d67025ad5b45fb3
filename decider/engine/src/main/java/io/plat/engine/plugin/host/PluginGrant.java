package io.plat.engine.plugin.host;

import io.plat.engine.Grant;
import io.plat.review.source.Quoted;

/**
 * A plug-in's allow.
 *
 * @param authorizer the plug-in's name
 * @param source the jar that it stands in
 * @param rule what the plug-in says about it, or {@code ""}
 */
record PluginGrant(String authorizer, String source, String rule) implements Grant {
    @Override
    public String maskedReason() {
        return "";
    }

    @Override
    public String reason() {
        return said("allowed", authorizer, rule);
    }

    /** What a plug-in did, and what it says about it. */
    static String said(String did, String name, String reason) {
        String by = did + " by plug-in " + Quoted.of(name);
        return reason.isEmpty() ? by : by + ": " + reason;
    }
}
