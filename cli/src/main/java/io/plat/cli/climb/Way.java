package io.plat.cli.climb;

/** How somebody comes to hold what was not granted to him. */
public enum Way {
    /** Writes a role with rights that he does not hold, which {@code escalate} allows. */
    ESCALATE("escalate", true),
    /** Gives himself a role whose rights he does not hold, which {@code bind} allows. */
    BIND("bind", true),
    /** Makes requests as somebody else. */
    IMPERSONATE("impersonate", false),
    /** Has a token made for a service account. */
    TOKEN("token", false),
    /** Starts a pod under a service account of its namespace. */
    POD("pod", false),
    /** Runs a command in a pod that is there, under its service account. */
    EXEC("exec", false),
    /** Has a certificate signed in whichever name he asks for. */
    CERTIFICATE("certificate", true);

    private final String word;
    private final boolean toEverything;

    Way(String word, boolean toEverything) {
        this.word = word;
        this.toEverything = toEverything;
    }

    /** The word for it in lower case. */
    public String word() {
        return word;
    }

    /** Whether it leads to every right there is, and not to those of one subject. */
    boolean leadsToEverything() {
        return toEverything;
    }
}
