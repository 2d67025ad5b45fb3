package io.plat.apiserver.registration;

/** Required step for the APIService of a group version. */
enum ApiServiceStep {
    NOTHING,
    CREATE,
    UPDATE,
    DELETE;

    /**
     * State of an APIService.
     *
     * @param wanted management label that it should have; {@code ""} if it should not exist
     * @param present management label of the existing one; {@code ""} if a user manages it
     * @param settled whether it was processed before, with nothing left to do
     * @param early whether it existed when the work started
     * @param same whether it equals the expected one
     */
    record ApiServiceState(
            String wanted, String present, boolean exists, boolean settled, boolean early, boolean same) {}

    /** Decides as kube-apiserver does: APIServices of built-in types are corrected once, those of custom types always. */
    static ApiServiceStep of(ApiServiceState each) {
        boolean once = each.wanted().equals(ExpectedApiService.ON_START) && each.settled();
        if (!each.exists()) {
            return each.wanted().isEmpty() || once ? NOTHING : CREATE;
        }
        boolean left = each.present().equals(ExpectedApiService.ON_START) && (!each.early() || each.settled());
        if (once || left || !isKept(each.present())) {
            return NOTHING;
        }
        if (each.wanted().isEmpty()) {
            return DELETE;
        }
        return each.same() ? NOTHING : UPDATE;
    }

    /** Returns whether a label marks an object as managed by the server. */
    static boolean isKept(String label) {
        return label.equals(ExpectedApiService.ON_START) || label.equals(ExpectedApiService.ALWAYS);
    }
}
