package io.plat.apiserver.allocation;

import io.plat.apiserver.storage.Key;
import java.nio.charset.StandardCharsets;

/**
 * The object that an item is allocated to, which need not exist yet. Another one of the same name is another owner.
 *
 * @param key where the object is
 * @param uid what it is told apart by
 */
public record Owner(Key key, String uid) {
    byte[] bytes() {
        return (key.path() + " " + uid).getBytes(StandardCharsets.UTF_8);
    }

    static Owner of(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        int space = text.lastIndexOf(' ');
        return new Owner(Key.parse(text.substring(0, space)), text.substring(space + 1));
    }
}
