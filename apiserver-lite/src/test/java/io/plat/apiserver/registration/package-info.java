@NullMarked
package io.plat.apiserver.registration;

import org.jspecify.annotations.NullMarked;
