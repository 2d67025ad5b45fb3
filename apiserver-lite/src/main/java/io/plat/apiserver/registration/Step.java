package io.plat.apiserver.registration;

/** What there is to do about one object of a group version. */
enum Step {
    NOTHING,
    CREATE,
    UPDATE,
    DELETE;

    /**
     * How things stand with one.
     *
     * @param wanted how the one that is to be there is looked after; {@code ""} if none is to be
     * @param present how the one that is there says that it is; {@code ""} if it is nobody's but a user's
     * @param exists whether one is there
     * @param settled whether it was looked at before, and nothing was left to do
     * @param early whether it was there already when the work began
     * @param same whether the one that is there says what the other does
     */
    record Case(String wanted, String present, boolean exists, boolean settled, boolean early, boolean same) {}

    /** Decides as existing servers do: those of the server's own types are put right once, those of types made at run time always. */
    static Step of(Case each) {
        boolean once = each.wanted().equals(Wanted.ON_START) && each.settled();
        if (!each.exists()) {
            return each.wanted().isEmpty() || once ? NOTHING : CREATE;
        }
        boolean left = each.present().equals(Wanted.ON_START) && (!each.early() || each.settled());
        if (once || left || !isKept(each.present())) {
            return NOTHING;
        }
        if (each.wanted().isEmpty()) {
            return DELETE;
        }
        return each.same() ? NOTHING : UPDATE;
    }

    /** Whether a label says that an object is the server's. */
    static boolean isKept(String label) {
        return label.equals(Wanted.ON_START) || label.equals(Wanted.ALWAYS);
    }
}
