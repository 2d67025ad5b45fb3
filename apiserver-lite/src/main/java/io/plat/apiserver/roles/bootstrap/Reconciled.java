package io.plat.apiserver.roles.bootstrap;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What a default object and the one that is there come to. */
sealed interface Reconciled {
    /** The one that is there has everything, or is not to be touched. */
    record Kept() implements Reconciled {}

    /**
     * Something was missing.
     *
     * @param object the one that is there with what was missing
     */
    record Completed(ObjectNode object) implements Reconciled {}

    /** A binding gives another role, which no update can change. */
    record Replaced() implements Reconciled {}
}
