@NullMarked
package io.plat.client;

import org.jspecify.annotations.NullMarked;
