package io.plat.apiserver.lending;

import io.plat.apiserver.storage.Key;
import java.nio.charset.StandardCharsets;

/**
 * Who borrows: an object, which need not be there yet. Another one of the same name is another borrower.
 *
 * @param key where the object is
 * @param uid what it is told apart by
 */
public record Borrower(Key key, String uid) {
    byte[] bytes() {
        return (key.path() + " " + uid).getBytes(StandardCharsets.UTF_8);
    }

    static Borrower of(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        int space = text.lastIndexOf(' ');
        return new Borrower(Key.parse(text.substring(0, space)), text.substring(space + 1));
    }
}
