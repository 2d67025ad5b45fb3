package io.plat.cli.escalation;

/** Kind of a privilege escalation. */
public enum EscalationKind {
    /** Writes a role with more rights than its own, by {@code escalate}. */
    ESCALATE("escalate", true),
    /** Binds itself to a role with more rights than its own, by {@code bind}. */
    BIND("bind", true),
    /** Sends requests as another user. */
    IMPERSONATE("impersonate", false),
    /** Has a token made for a service account. */
    TOKEN("token", false),
    /** Starts a pod under a service account of its namespace. */
    POD("pod", false),
    /** Runs a command in a pod that is there, under its service account. */
    EXEC("exec", false),
    /** Has a certificate signed for any user name. */
    CERTIFICATE("certificate", true);

    private final String word;
    private final boolean toEverything;

    EscalationKind(String word, boolean toEverything) {
        this.word = word;
        this.toEverything = toEverything;
    }

    /** The word for it in lower case. */
    public String word() {
        return word;
    }

    /** Returns whether it reaches all rights, and not just those of one subject. */
    boolean leadsToEverything() {
        return toEverything;
    }
}
