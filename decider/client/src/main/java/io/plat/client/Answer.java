package io.plat.client;

/**
 * A decider's answer.
 *
 * @param allowed whether the access is allowed
 * @param reason the decider's reason in one line, or {@code ""}
 * @param revision the policy of the decision, or {@code ""} if the decider does not send one
 */
public record Answer(boolean allowed, String reason, String revision) {}
