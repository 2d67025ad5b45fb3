@NullMarked
package io.plat.client.cache;

import org.jspecify.annotations.NullMarked;
