package io.plat.tests.hostile;

import java.util.List;

/**
 * Data that a server sent over one connection.
 *
 * @param statuses status code of each response
 * @param text header fields and bodies, in ISO 8859-1
 * @param hung whether the server neither responded nor closed in time
 */
record Reply(List<Integer> statuses, String text, boolean hung) {
    Reply {
        statuses = List.copyOf(statuses);
    }
}
