package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * An object with what it was lent.
 *
 * @param object the object to write
 * @param loan what it was lent; null for nothing
 */
public record Lent(ObjectNode object, @Nullable Loan loan) {
    /** A write on the condition that nobody was lent the same. */
    public Transaction holding(Transaction write) {
        return loan == null ? write : loan.holding(write);
    }

    /** Gives it back, as the object was not written. */
    public void giveBack() throws StorageException {
        if (loan != null) {
            loan.giveBack();
        }
    }
}
