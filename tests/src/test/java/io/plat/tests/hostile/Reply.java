package io.plat.tests.hostile;

import java.util.List;

/**
 * Everything that a server sent back over one connection.
 *
 * @param statuses the status code of each answer
 * @param text header fields and bodies, in ISO 8859-1
 * @param hung whether the server neither answered nor closed in time
 */
record Reply(List<Integer> statuses, String text, boolean hung) {
    Reply {
        statuses = List.copyOf(statuses);
    }
}
